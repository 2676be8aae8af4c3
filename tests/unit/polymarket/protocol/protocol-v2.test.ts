// The published vectors of Protocol V2 (shared/data/polymarket/protocol-v2).
import { Wallet } from "ethers";
import { describe, expect, it } from "vitest";
import { toWireBody } from "@/lib/polymarket/official-client";
import {
  type ChainId,
  type ExchangeDomain,
  getExchangeDomain,
} from "@/lib/polymarket/protocol/contracts";
import {
  computeDomainSeparator,
  computeOrderHash,
  computeStructHash,
  type OrderStruct,
} from "@/lib/polymarket/protocol/order-hash";
import {
  isOwnerOfMaker,
  recoverOwner,
  signOrderStruct,
} from "@/lib/polymarket/protocol/order-signature";
import {
  areBookPositionIds,
  isBookPositionId,
  isComboPositionId,
  isPositionConditionId,
  isPositionId,
  toPositionConditionId,
} from "@/lib/polymarket/protocol/position-id";
import { readRecorded } from "@/tests/support/polymarket/recorded-data";

interface SignedVector {
  name: string;
  chainId: ChainId;
  privateKey: string;
  keyAddress: string;
  domain: ExchangeDomain;
  domainSeparator: string;
  order: OrderStruct & { expiration: string };
  structHash: string;
  orderId: string;
  signature: string;
  postBody: { owner: string; orderType: "GTC" | "GTD" | "FOK" | "FAK"; postOnly: boolean };
  negative?: string;
}

const { vectors: SIGNED } = readRecorded<{ vectors: SignedVector[] }>("protocol-v2/orders.json");
const OF_V3 = SIGNED.filter(({ domain }) => domain.version === "3");

describe("published orders of Protocol V2", () => {
  it("are signed for the exchange of their chain", () => {
    expect(OF_V3.length).toBeGreaterThan(55);
    for (const { domain, chainId, domainSeparator } of OF_V3) {
      expect(getExchangeDomain(chainId, "v3")).toEqual(domain);
      expect(computeDomainSeparator(domain)).toBe(domainSeparator);
    }
  });

  it.each(SIGNED)("$name has the published hashes and signature", async (vector) => {
    const { order, domain, privateKey, keyAddress, postBody } = vector;
    const { expiration, ...struct } = order;
    expect(computeStructHash(struct)).toBe(vector.structHash);
    expect(computeOrderHash(struct, domain)).toBe(vector.orderId);
    const signature = signOrderStruct(new Wallet(privateKey), struct, domain);
    expect(signature).toBe(vector.signature);
    expect(recoverOwner(struct, domain, signature)).toBe(keyAddress);
    expect(isOwnerOfMaker(struct, keyAddress)).toBe(true);
    const { owner, orderType, postOnly: isPostOnly } = postBody;
    const body = await toWireBody({ struct, signature, owner, orderType, expiration, isPostOnly });
    expect(body).toBe(JSON.stringify(postBody));
  });
});

interface GoldenVector {
  name: string;
  domain?: ExchangeDomain;
  order: Omit<OrderStruct, "side"> & { side: 0 | 1 };
  domainSeparator?: string;
  structHash?: string;
  orderId?: string;
}

describe("golden orders", () => {
  const { vectors } = readRecorded<{ vectors: GoldenVector[] }>("protocol-v2/golden_orders.json");

  it.each(vectors)("$name", ({ domain, order, ...expected }) => {
    const struct: OrderStruct = { ...order, side: order.side === 0 ? "BUY" : "SELL" };
    if (expected.structHash) expect(computeStructHash(struct)).toBe(expected.structHash);
    if (!domain) return;
    expect(computeDomainSeparator(domain)).toBe(expected.domainSeparator);
    if (expected.orderId) expect(computeOrderHash(struct, domain)).toBe(expected.orderId);
  });
});

interface IdVector {
  name: string;
  id: string;
  fields: { moduleId: number; resolutionChain: number; arity: number };
  conditionIdBytes31: string;
  conditionIdBytes32: string;
  sdkIsV2PositionId: boolean;
  strictIsTradable: boolean;
}

describe("published position ids", () => {
  const { vectors } = readRecorded<{ vectors: IdVector[] }>("protocol-v2/position_ids.json");

  it.each(vectors)("$name", ({ id, fields, ...expected }) => {
    expect(isPositionId(id)).toBe(expected.sdkIsV2PositionId);
    expect(isComboPositionId(id)).toBe(expected.sdkIsV2PositionId && fields.moduleId === 3);
    // The published rule judges neither combos nor chain, arity and index (§3.3).
    const isOfBook = fields.moduleId !== 3 && fields.resolutionChain === 0 && fields.arity !== 1;
    expect(isBookPositionId(id)).toBe(expected.strictIsTradable && isOfBook);
    expect(toPositionConditionId(id)).toBe(expected.conditionIdBytes32);
    expect(toPositionConditionId(id)).toBe(`${expected.conditionIdBytes31}00`);
    expect(isPositionConditionId(expected.conditionIdBytes32)).toBe(expected.sdkIsV2PositionId);
  });

  it("pair up only as the two outcomes of one condition, first one first", () => {
    const book = vectors.map(({ id }) => id).filter(isBookPositionId);
    for (const first of book) {
      for (const second of book) {
        const isPair = BigInt(first) % 2n === 0n && BigInt(second) === BigInt(first) + 1n;
        expect(areBookPositionIds([first, second]), `${first} ${second}`).toBe(isPair);
      }
    }
  });
});
