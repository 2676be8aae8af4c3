import { randomBytes } from "node:crypto";
import { signRecoverable } from "tiny-secp256k1";
import { afterEach, describe, expect, it, vi } from "vitest";
import { setClock } from "@/lib/clock";
import { signOrderFor } from "@/lib/custody/signer";
import { checkExchange } from "@/lib/custody/signing-policy";
import { getDb } from "@/lib/db/client";
import { type LiveWalletRow, selectLiveWallet } from "@/lib/db/queries/live-wallets";
import { removeLiveWallet } from "@/lib/accounts/change-live-wallet";
import {
  type ChainId,
  type ExchangeDomain,
  getExchangeDomain,
} from "@/lib/polymarket/protocol/contracts";
import type { OrderStruct, SignatureType } from "@/lib/polymarket/protocol/order-hash";
import { isConditionalTokenId, isPositionId } from "@/lib/polymarket/protocol/position-id";
import { EXCHANGES, type ExchangeName } from "@/lib/domain/protocol";
import { changes, restoreEnv } from "@/tests/support/custody/environment";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { createOwner, buildOrder, storeWallet, ZERO_BYTES } from "@/tests/support/live/wallets";
import { readRecorded } from "@/tests/support/polymarket/recorded-data";
import { makeUser } from "@/tests/support/users";

vi.mock("tiny-secp256k1", async (importOriginal) =>
  (await import("@/tests/support/custody/signatures")).countedSignatures(importOriginal),
);
vi.mock("@/lib/env", async (importOriginal) =>
  (await import("@/tests/support/custody/environment")).changedEnv(importOriginal),
);
useFreshDatabase();
restoreEnv();
let restoreClock = () => {};
afterEach(() => {
  restoreClock();
  vi.restoreAllMocks();
});

const IDS = 10_000;
const CHAINS = [137, 80002] as const;
const OF_V1 = ["ctf", "negRisk"] as const;
const V3 = getExchangeDomain(137, "v3");

const randomId = () => BigInt(`0x${randomBytes(32).toString("hex")}`);

/** Builds an id of Protocol V2 from random or given fields (polymarket-protocol-v2.md 3.1). */
function buildPositionId(fields: Partial<Record<(typeof FIELDS)[number][0], bigint>> = {}): string {
  const module = fields.module ?? 1n + (randomId() % 2n);
  const arity = module === 2n ? 2n + (randomId() % 65_534n) : 0n;
  const drawn = {
    module,
    base: randomId() % (1n << 128n),
    arity,
    chain: 0n,
    index: module === 2n ? randomId() % ((fields.arity ?? arity) + 1n) : 0n,
    outcome: randomId() % 2n,
    ...fields,
  };
  return FIELDS.reduce((id, [name, shift]) => id | (drawn[name] << shift), 0n).toString();
}
const FIELDS = [
  ["module", 248n],
  ["base", 120n],
  ["arity", 104n],
  ["chain", 24n],
  ["index", 8n],
  ["outcome", 0n],
] as const;

const isSignable = (tokenId: string, domain: ExchangeDomain, chainId: ChainId = 137) => {
  try {
    checkExchange(tokenId, domain, chainId);
    return true;
  } catch (error) {
    if (!/^the signer refuses: (tokenId|domain)/.test(String((error as Error).message)))
      throw error;
    return false;
  }
};

/** Lists the exchanges of both chains for which custody signs a token, on one of the chains. */
const listSignable = (tokenId: string, chainId: ChainId): string[] =>
  CHAINS.flatMap((chain) =>
    EXCHANGES.filter((name) => isSignable(tokenId, getExchangeDomain(chain, name), chainId)).map(
      (name) => `${chain}/${name}`,
    ),
  );

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
  it.each(CHAINS)(
    "signs random ids of either protocol for its own exchanges only (%i)",
    (chain) => {
      for (let count = 0; count < IDS; count += 1) {
        const token = randomId().toString();
        expect(listSignable(token, chain)).toEqual(OF_V1.map((name) => `${chain}/${name}`));
        const position = buildPositionId();
        expect(listSignable(position, chain), position).toEqual([`${chain}/v3`]);
      }
    },
  );

  it.each<[string, Parameters<typeof buildPositionId>[0]]>([
    ["no module", { module: 0n }],
    ["a combo's module", { module: 3n }],
    ["an unknown module", { module: 4n }],
    ["the largest module", { module: 255n }],
    ["an arity in a binary market", { module: 1n, arity: 1n }],
    ["a condition index in a binary market", { module: 1n, index: 1n }],
    ["no arity in a neg-risk market", { module: 2n, arity: 0n, index: 0n }],
    ["one outcome in a neg-risk market", { module: 2n, arity: 1n, index: 0n }],
    ["an index above the arity", { module: 2n, arity: 4n, index: 5n }],
    ["a third outcome", { outcome: 2n }],
    ["another resolution chain", { chain: 1n }],
  ])("rejects a position id with %s for every exchange", (_what, fields) => {
    const id = buildPositionId(fields);
    expect(isPositionId(id)).toBe(true);
    expect(listSignable(id, 137)).toEqual([]);
  });

  it.each<[string, Parameters<typeof buildPositionId>[0]]>([
    ["the outcome Other, whose index is the arity", { module: 2n, arity: 4n, index: 4n }],
    ["the largest arity", { module: 2n, arity: 65_535n, index: 65_534n }],
  ])("accepts a position id of %s", (_what, fields) => {
    expect(listSignable(buildPositionId(fields), 137)).toEqual(["137/v3"]);
  });

  it("never signs a position id with a reserved bit set for ExchangeV3", () => {
    const id = BigInt(buildPositionId());
    for (let bit = 40n; bit < 104n; bit += 1n) {
      const flipped = (id ^ (1n << bit)).toString();
      expect(isPositionId(flipped), `bit ${bit}`).toBe(false);
      expect(isSignable(flipped, V3), `bit ${bit}`).toBe(false);
    }
  });

  it("accepts only the exact domains", () => {
    const [tokenId, positionId] = [randomId().toString(), buildPositionId()];
    const standard = getExchangeDomain(137, "ctf");
    const negRisk = getExchangeDomain(137, "negRisk");
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
      { ...V3, chainId: 80002 },
      { ...V3, verifyingContract: negRisk.verifyingContract },
      { ...V3, verifyingContract: getExchangeDomain(80002, "v3").verifyingContract },
    ];
    for (const domain of wrong) {
      for (const id of [tokenId, positionId]) {
        expect(isSignable(id, domain as ExchangeDomain), JSON.stringify(domain)).toBe(false);
      }
    }
    for (const text of ["", "01", "-1", "1e70", "0x10", "1234", (2n ** 256n).toString()]) {
      for (const domain of [standard, V3]) expect(isSignable(text, domain), text).toBe(false);
    }
    expect(isSignable(`0${positionId}`, V3)).toBe(false);
  });

  it("agrees with the published position ids", () => {
    const { vectors } = readRecorded<{ vectors: PublishedId[] }>("protocol-v2/position_ids.json");
    expect(vectors.length).toBeGreaterThan(30);
    for (const { id, fields, sdkIsV2PositionId, strictIsTradable } of vectors) {
      expect(isPositionId(id), id).toBe(sdkIsV2PositionId);
      expect(isConditionalTokenId(id), id).toBe(!sdkIsV2PositionId);
      // The published rule judges neither combos nor chain, arity and index (§3.3).
      const isBook = fields.moduleId !== 3 && fields.resolutionChain === 0 && fields.arity !== 1;
      expect(isSignable(id, V3), id).toBe(strictIsTradable && isBook);
      expect(isSignable(id, getExchangeDomain(137, "ctf")), id).toBe(!sdkIsV2PositionId);
    }
  });
});

interface PublishedId {
  id: string;
  fields: { moduleId: number; arity: number; resolutionChain: number };
  sdkIsV2PositionId: boolean;
  strictIsTradable: boolean;
}

interface PublishedOrder {
  name: string;
  chainId: ChainId;
  privateKey: string;
  keyAddress: string;
  signatureType: SignatureType;
  domain: ExchangeDomain;
  order: OrderStruct & { expiration?: string };
  signature: string;
  negative?: string;
}

const { vectors: PUBLISHED } = readRecorded<{ vectors: PublishedOrder[] }>(
  "protocol-v2/orders.json",
);
const isCombo = ({ name }: PublishedOrder) => name.includes("combo");
/** Custody signs neither metadata nor a builder code; tests/unit/polymarket signs those orders. */
const isPlain = ({ order }: PublishedOrder) =>
  order.metadata === ZERO_BYTES && order.builder === ZERO_BYTES;
const SIGNED = PUBLISHED.filter((one) => !one.negative && !isCombo(one) && isPlain(one));
const REFUSED = PUBLISHED.filter((vector) => vector.negative ?? isCombo(vector));

/** Signs a published order with its own wallet, time and chain. */
async function signPublished({ domain, order, ...vector }: PublishedOrder): Promise<string> {
  changes.POLYGON_CHAIN_ID = vector.chainId;
  restoreClock = setClock(() => Number(order.timestamp));
  const { userId } = await makeUser();
  const identity = {
    userId,
    address: vector.keyAddress,
    funderAddress: order.maker,
    signatureType: vector.signatureType,
  };
  const wallet = await storeWallet(identity, vector.privateKey);
  const { expiration: _, ...struct } = order;
  try {
    return await signOrderFor(wallet, struct, domain);
  } finally {
    // The next order has the same owner, and an owner can have only one user.
    await removeLiveWallet(userId);
  }
}

describe("the signer", () => {
  it("signs none of 10,000 random ids across namespaces and domains", async () => {
    const { wallet, order } = await storedWallet();
    const signed = vi.mocked(signRecoverable).mockClear();
    for (let count = 0; count < IDS; count += 1) {
      const isPosition = count % 2 === 0;
      const tokenId = isPosition ? buildPositionId() : randomId().toString();
      const exchange: ExchangeName = isPosition ? (OF_V1[(count / 2) % 2] ?? "ctf") : "v3";
      const domain = getExchangeDomain(CHAINS[count % 3 === 0 ? 1 : 0], exchange);
      const attempt = signOrderFor(wallet, { ...order(), tokenId }, domain);
      await expect(attempt).rejects.toThrow("the signer refuses");
    }
    expect(signed).not.toHaveBeenCalled();
    for (const exchange of EXCHANGES) {
      const tokenId = exchange === "v3" ? buildPositionId() : randomId().toString();
      const own = { ...order(), tokenId };
      const domain = getExchangeDomain(137, exchange);
      await expect(signOrderFor(wallet, own, domain)).resolves.toMatch(/^0x/);
    }
    expect(signed).toHaveBeenCalledTimes(EXCHANGES.length);
  });

  it("has published orders of every signature type", () => {
    expect(SIGNED.length).toBeGreaterThan(40);
    expect(new Set(SIGNED.map(({ signatureType }) => signatureType))).toEqual(
      new Set([0, 1, 2, 3]),
    );
    expect(new Set(SIGNED.map(({ chainId }) => chainId))).toEqual(new Set(CHAINS));
    expect(REFUSED.length).toBeGreaterThan(6);
  });

  it.each(SIGNED)("signs the published order $name byte for byte", async (vector) => {
    expect(await signPublished(vector)).toBe(vector.signature);
  });

  it.each(REFUSED)("refuses the published order $name", async (vector) => {
    await expect(signPublished(vector)).rejects.toThrow("the signer refuses: tokenId");
  });
});
