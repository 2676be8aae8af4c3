import { randomBytes } from "node:crypto";
import { SigningKey } from "ethers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { signOrderFor } from "@/lib/custody/signer";
import { checkExchange } from "@/lib/custody/signing-policy";
import { getDb } from "@/lib/db/client";
import { type LiveWalletRow, selectLiveWallet } from "@/lib/db/queries/live-wallets";
import { type ExchangeDomain, getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import type { OrderStruct } from "@/lib/polymarket/protocol/order-hash";
import { isConditionalTokenId, isPositionId } from "@/lib/polymarket/protocol/position-id";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { createOwner, buildOrder, storeWallet } from "@/tests/support/live/wallets";
import { readRecorded } from "@/tests/support/polymarket/recorded-data";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
afterEach(() => vi.restoreAllMocks());

const IDS = 10_000;
/** The exchange of Protocol V2 on Polygon (polymarket-protocol-v2.md 6.1). */
const V3: ExchangeDomain = {
  name: "Polymarket CTF Exchange",
  version: "3",
  chainId: 137,
  verifyingContract: "0xe3333700cA9d93003F00f0F71f8515005F6c00Aa",
};
const PINNED = [getExchangeDomain(137, false), getExchangeDomain(137, true)];

const randomId = () => BigInt(`0x${randomBytes(32).toString("hex")}`);

/** A position id: module, base hash, arity, resolution chain, condition index, outcome. */
function randomPositionId(): string {
  const module = 1n + (randomId() % 3n);
  const base = randomId() % (1n << 128n);
  const arity = module === 2n ? 2n + (randomId() % 254n) : 0n;
  const index = arity === 0n ? 0n : randomId() % arity;
  const low = (index << 8n) | (randomId() % 2n);
  return ((module << 248n) | (base << 120n) | (arity << 104n) | low).toString();
}

const isSignable = (tokenId: string, domain: ExchangeDomain) => {
  try {
    checkExchange(tokenId, domain, 137);
    return true;
  } catch (error) {
    if (!/^the signer refuses: (tokenId|domain)/.test(String((error as Error).message)))
      throw error;
    return false;
  }
};

async function storedWallet(): Promise<{ wallet: LiveWalletRow; order: () => OrderStruct }> {
  const owner = createOwner();
  const { userId } = await makeUser();
  const funderAddress = owner.funders[3];
  const identity = { userId, address: owner.address, funderAddress, signatureType: 3 as const };
  await storeWallet(identity, owner.privateKey);
  const wallet = await selectLiveWallet(await getDb(), userId);
  if (!wallet) throw new Error("the wallet was stored");
  return { wallet, order: () => buildOrder(owner, 3) };
}

describe("the pairing of token ids and exchanges", () => {
  it("accepts random ids of Conditional Tokens only for the two exchanges of domain 2", () => {
    const ids = Array.from({ length: IDS }, () => randomId().toString());
    expect(ids.filter((id) => !isConditionalTokenId(id))).toEqual([]);
    for (const domain of PINNED) {
      expect(ids.filter((id) => !isSignable(id, domain))).toEqual([]);
    }
    expect(ids.filter((id) => isSignable(id, V3))).toEqual([]);
  });

  it("rejects random position ids for every exchange", () => {
    const ids = Array.from({ length: IDS }, randomPositionId);
    expect(ids.filter((id) => !isPositionId(id))).toEqual([]);
    for (const domain of [...PINNED, V3]) {
      expect(ids.filter((id) => isSignable(id, domain))).toEqual([]);
    }
  });

  it("rejects position ids with any bit flipped outside the reserved ones", () => {
    const id = BigInt(randomPositionId());
    for (let bit = 0n; bit < 256n; bit += 1n) {
      const isReserved = bit >= 40n && bit < 104n;
      const flipped = (id ^ (1n << bit)).toString();
      expect(isPositionId(flipped), `bit ${bit}`).toBe(!isReserved);
      if (isReserved) continue;
      for (const domain of [...PINNED, V3]) expect(isSignable(flipped, domain)).toBe(false);
    }
  });

  it("accepts only the exact domains", () => {
    const tokenId = randomId().toString();
    const [standard, negRisk] = PINNED as [ExchangeDomain, ExchangeDomain];
    const wrong: object[] = [
      { ...standard, version: "1" },
      { ...standard, version: "3" },
      { ...standard, chainId: 80002 },
      { ...standard, name: "Polymarket Exchange" },
      { ...standard, verifyingContract: standard.verifyingContract.toLowerCase() },
      { ...standard, verifyingContract: V3.verifyingContract },
      { ...standard, salt: `0x${"0".repeat(64)}` },
      { ...negRisk, version: "3" },
      { ...V3, version: "2" },
      { ...V3, verifyingContract: negRisk.verifyingContract },
    ];
    for (const domain of wrong) {
      expect(isSignable(tokenId, domain as ExchangeDomain), JSON.stringify(domain)).toBe(false);
    }
    for (const text of ["", "01", "-1", "1e70", "0x10", "1234", (2n ** 256n).toString()]) {
      expect(isSignable(text, standard), text).toBe(false);
    }
  });

  it("agrees with the published position ids", () => {
    const { vectors } = readRecorded<{
      vectors: { id: string; sdkIsV2PositionId: boolean }[];
    }>("protocol-v2/position_ids.json");
    expect(vectors.length).toBeGreaterThan(30);
    for (const { id, sdkIsV2PositionId } of vectors) {
      expect(isPositionId(id), id).toBe(sdkIsV2PositionId);
      expect(isSignable(id, V3)).toBe(false);
      expect(isSignable(id, getExchangeDomain(137, false)), id).toBe(!sdkIsV2PositionId);
    }
  });
});

describe("the signer", () => {
  it("signs none of 10,000 random ids across namespaces and domains", async () => {
    const { wallet, order } = await storedWallet();
    const signed = vi.spyOn(SigningKey.prototype, "sign");
    for (let count = 0; count < IDS; count += 1) {
      const token = count % 2 === 0 ? randomPositionId() : randomId().toString();
      const domain = count % 2 === 0 ? PINNED[(count / 2) % 2] : V3;
      const attempt = signOrderFor(wallet, { ...order(), tokenId: token }, domain ?? V3);
      await expect(attempt).rejects.toThrow("the signer refuses");
    }
    expect(signed).not.toHaveBeenCalled();
    const own = { ...order(), tokenId: randomId().toString() };
    await expect(signOrderFor(wallet, own, PINNED[0] ?? V3)).resolves.toMatch(/^0x/);
    expect(signed).toHaveBeenCalledTimes(1);
  });

  it("rejects every published order of Protocol V2 for every domain", async () => {
    const { wallet, order } = await storedWallet();
    const { vectors } = readRecorded<{
      vectors: { name: string; domain: ExchangeDomain; order: { tokenId: string } }[];
    }>("protocol-v2/orders.json");
    expect(vectors.length).toBeGreaterThan(60);
    for (const { name, domain, order: published } of vectors) {
      const attempt = signOrderFor(wallet, { ...order(), tokenId: published.tokenId }, domain);
      await expect(attempt, name).rejects.toThrow("the signer refuses");
    }
  });
});
