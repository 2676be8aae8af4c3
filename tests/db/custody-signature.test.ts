import { Wallet } from "ethers";
import { beforeEach, expect, it, vi } from "vitest";
import { openTrader } from "@/lib/custody/trader";
import { getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { createOwner, buildOrder, storeWallet } from "@/tests/support/live/wallets";
import { makeUser } from "@/tests/support/users";

type Sign = typeof import("@/lib/polymarket/protocol/order-signature").signOrderStruct;

/** Replaces the project's signing function; null to use it. */
const library = vi.hoisted((): { sign: ((real: Sign) => Sign) | null } => ({ sign: null }));
vi.mock("@/lib/polymarket/protocol/order-signature", async (importOriginal) => {
  const real = await importOriginal<typeof import("@/lib/polymarket/protocol/order-signature")>();
  const signOrderStruct: Sign = (...args) =>
    (library.sign?.(real.signOrderStruct) ?? real.signOrderStruct)(...args);
  return { ...real, signOrderStruct };
});

useFreshDatabase();
beforeEach(() => {
  library.sign = null;
});

/** @param stored the key in the wallet's row: the owner's or another one. */
async function openFresh(stored?: string) {
  const owner = createOwner();
  const { userId } = await makeUser();
  const { address, privateKey, funders } = owner;
  const identity = { userId, address, funderAddress: funders[3], signatureType: 3 } as const;
  await storeWallet(identity, stored ?? privateKey);
  return { order: buildOrder(owner, 3), trader: await openTrader(userId) };
}

it("the owner's signature of this order and exchange is returned", async () => {
  const { trader, order } = await openFresh();
  await expect(trader?.signOrder(order, "ctf")).resolves.toMatch(/^0x/);
});

it.each<[string, (real: Sign) => Sign]>([
  [
    "of another key",
    (real) => (_, order, domain) => real(new Wallet(createOwner().privateKey), order, domain),
  ],
  [
    "of another order",
    (real) => (owner, order, domain) => real(owner, { ...order, makerAmount: "9900000" }, domain),
  ],
  [
    "for the other exchange",
    (real) => (owner, order) => real(owner, order, getExchangeDomain(137, "negRisk")),
  ],
])("a signature %s never leaves the signer, whatever made it", async (_, sign) => {
  const { trader, order } = await openFresh();
  library.sign = sign;
  await expect(trader?.signOrder(order, "ctf")).rejects.toThrow(
    "a signature is that of the wallet's key",
  );
});

it("a stored key of another owner signs nothing", async () => {
  const { trader, order } = await openFresh(createOwner().privateKey);
  const sign = vi.fn((real: Sign): Sign => real);
  library.sign = sign;
  await expect(trader?.signOrder(order, "ctf")).rejects.toThrow("a stored key belongs");
  expect(sign).not.toHaveBeenCalled();
});
