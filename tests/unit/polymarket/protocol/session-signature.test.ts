import { getBytes, hexlify, Wallet } from "ethers";
import { describe, expect, it } from "vitest";
import { type ExchangeDomain, getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import type { OrderStruct } from "@/lib/polymarket/protocol/order-hash";
import {
  recoverOwner,
  recoverSession,
  signOrderInSession,
  signOrderStruct,
} from "@/lib/polymarket/protocol/order-signature";
import { buildAuthorizeCall, buildRevokeCall } from "@/lib/polymarket/protocol/session-calls";
import {
  unwrapSessionSignature,
  wrapSessionSignature,
} from "@/lib/polymarket/protocol/session-envelope";
import { readRecorded } from "@/tests/support/polymarket/recorded-data";
import { Random } from "@/tests/support/random";

const MUTATIONS = 1_000;
const ORDER_BYTES = 480;
const BATCH_BYTES = 256;

interface OrderVector {
  name: string;
  domain: ExchangeDomain;
  order: OrderStruct;
  signature: string;
  sessionKey?: { privateKey: string; address: string; innerSignature: string; signature: string };
}
interface FirstProtocolVector {
  id: string;
  privateKey: string;
  keyAddress: string;
  domain: ExchangeDomain;
  order: Omit<OrderStruct, "side"> & { side: 0 | 1 };
  wrap: string;
  expected: { signature: string };
}
interface GoldenVector {
  name: string;
  signature?: string;
  wrappedSignature?: string;
  sessionSigner?: string;
  sessionSignature?: string;
}
interface BatchVector {
  name: string;
  message: { wallet: string; calls: { target: string; data: string }[] };
  sessionSigner: string;
}
interface Submission {
  name: string;
  sessionKey?: { address: string; innerSignature: string; signature: string };
}

const orders = readRecorded<{ vectors: OrderVector[] }>("protocol-v2/orders.json").vectors.flatMap(
  ({ sessionKey, ...vector }) => (sessionKey ? [{ ...vector, sessionKey }] : []),
);
const firstProtocol = readRecorded<{ vectors: FirstProtocolVector[] }>(
  "vectors/orders.json",
).vectors.filter(({ wrap }) => wrap === "session-key-envelope");
const golden = [
  ...readRecorded<{ vectors: GoldenVector[] }>("protocol-v2/golden_orders.json").vectors,
  ...readRecorded<{ vectors: GoldenVector[] }>("relayer/golden_batches.json").vectors,
].filter(({ sessionSignature }) => sessionSignature !== undefined);
const batches = readRecorded<{ vectors: Submission[] }>("relayer/submissions.json").vectors.filter(
  ({ sessionKey }) => sessionKey !== undefined,
);

const OWNER = new Wallet(`0x${"11".repeat(32)}`);
const SESSION = new Wallet(`0x${"22".repeat(32)}`);
const OTHER = new Wallet(`0x${"33".repeat(32)}`);
const DOMAIN = getExchangeDomain(137, "ctf");
const WALLET = "0x4Fe2CC4925607a473264FA89e7138075695A5F8e";
const ORDER: OrderStruct = {
  salt: "740224784049",
  maker: WALLET,
  signer: WALLET,
  tokenId: "71321045679252212594626385532706912750332728571942532289631379312455583992563",
  makerAmount: "5200000",
  takerAmount: "10000000",
  side: "BUY",
  signatureType: 3,
  timestamp: "1795354800022",
  metadata: `0x${"0".repeat(64)}`,
  builder: `0x${"0".repeat(64)}`,
};
const SIGNED = signOrderInSession(SESSION, ORDER, DOMAIN);

/** Replaces, removes, inserts or appends a byte. */
function mutate(hex: string, random: Random): string {
  const bytes = [...getBytes(hex)];
  const at = random.integer(0, bytes.length - 1);
  switch (random.integer(0, 3)) {
    case 0:
      bytes[at] = ((bytes[at] ?? 0) + random.integer(1, 255)) % 256;
      break;
    case 1:
      bytes.splice(at, 1);
      break;
    case 2:
      bytes.splice(at, 0, random.integer(0, 255));
      break;
    default:
      for (let more = random.integer(1, 64); more > 0; more -= 1)
        bytes.push(random.integer(0, 255));
  }
  return hexlify(Uint8Array.from(bytes));
}

describe("an order signed with a session key", () => {
  it("equals the known signatures byte for byte", () => {
    expect(orders).toHaveLength(20);
    for (const { name, domain, order, sessionKey } of orders) {
      const session = new Wallet(sessionKey.privateKey);
      const signed = signOrderInSession(session, order, domain);
      expect(signed, name).toBe(sessionKey.signature);
      expect(signed, name).toHaveLength(2 + 2 * ORDER_BYTES);
      expect(recoverSession(order, domain, signed), name).toBe(sessionKey.address);
    }
  });

  it("equals the known signatures for the exchanges of Protocol V1", () => {
    expect(firstProtocol).not.toEqual([]);
    for (const { id, privateKey, keyAddress, domain, order, expected } of firstProtocol) {
      const struct: OrderStruct = { ...order, side: order.side === 0 ? "BUY" : "SELL" };
      expect(signOrderInSession(new Wallet(privateKey), struct, domain), id).toBe(
        expected.signature,
      );
      expect(recoverSession(struct, domain, expected.signature), id).toBe(keyAddress);
    }
  });

  it("is no owner's signature, and an owner's signature is none of a session key", () => {
    expect(recoverOwner(ORDER, DOMAIN, SIGNED)).toBeNull();
    expect(recoverSession(ORDER, DOMAIN, signOrderStruct(OWNER, ORDER, DOMAIN))).toBeNull();
  });

  it("is invalid with another key's signature inside, for another order, domain or type", () => {
    const foreign = wrapSessionSignature({
      sessionAddress: SESSION.address,
      signature: signOrderStruct(OTHER, ORDER, DOMAIN),
    });
    expect(recoverSession(ORDER, DOMAIN, foreign)).toBeNull();
    const ofOwner = wrapSessionSignature({
      sessionAddress: SESSION.address,
      signature: signOrderStruct(OWNER, ORDER, DOMAIN),
    });
    expect(recoverSession(ORDER, DOMAIN, ofOwner)).toBeNull();
    expect(recoverSession({ ...ORDER, makerAmount: "5300000" }, DOMAIN, SIGNED)).toBeNull();
    expect(recoverSession(ORDER, getExchangeDomain(137, "negRisk"), SIGNED)).toBeNull();
    const plain = { ...ORDER, signatureType: 2 as const };
    const wrapped = wrapSessionSignature({
      sessionAddress: SESSION.address,
      signature: signOrderStruct(SESSION, plain, DOMAIN),
    });
    expect(recoverSession(plain, DOMAIN, wrapped)).toBeNull();
  });

  it("is invalid if it is truncated anywhere or followed by any bytes", () => {
    const bytes = getBytes(SIGNED);
    for (let length = 0; length < bytes.length; length += 1) {
      expect(recoverSession(ORDER, DOMAIN, hexlify(bytes.slice(0, length)))).toBeNull();
    }
    for (const more of ["00", "6492", "00".repeat(32), "6492".repeat(16)]) {
      expect(recoverSession(ORDER, DOMAIN, `${SIGNED}${more}`)).toBeNull();
    }
    expect(recoverSession(ORDER, DOMAIN, "no hex")).toBeNull();
  });

  it("is invalid with any single byte changed", () => {
    const bytes = getBytes(SIGNED);
    expect(bytes).toHaveLength(ORDER_BYTES);
    for (const at of bytes.keys()) {
      const changed = Uint8Array.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(recoverSession(ORDER, DOMAIN, hexlify(changed)), `byte ${at}`).toBeNull();
    }
  });

  it(`is invalid after each of ${MUTATIONS} random mutations`, () => {
    const random = new Random(19);
    for (let count = 0; count < MUTATIONS; count += 1) {
      const mutated = mutate(SIGNED, random);
      expect(recoverSession(ORDER, DOMAIN, mutated), mutated).toBeNull();
    }
  });
});

describe("the envelope of a session key", () => {
  it("equals the published golden vectors", () => {
    expect(golden.length).toBeGreaterThan(2);
    for (const vector of golden) {
      const { name, sessionSigner = "", sessionSignature = "" } = vector;
      const signature = vector.wrappedSignature ?? vector.signature ?? "";
      expect(wrapSessionSignature({ sessionAddress: sessionSigner, signature }), name).toBe(
        sessionSignature,
      );
      expect(unwrapSessionSignature(sessionSignature), name).toEqual({
        sessionAddress: sessionSigner,
        signature,
      });
    }
  });

  it("opens the known batches to the session key's signature of 65 bytes", () => {
    expect(batches.length).toBeGreaterThan(5);
    for (const { name, sessionKey } of batches) {
      const { address = "", signature = "", innerSignature = "" } = sessionKey ?? {};
      expect(signature, name).toHaveLength(2 + 2 * BATCH_BYTES);
      expect(unwrapSessionSignature(signature), name).toEqual({
        sessionAddress: address,
        signature: innerSignature,
      });
    }
  });
});

describe("the calls that change a wallet's session keys", () => {
  const { vectors } = readRecorded<{ vectors: BatchVector[] }>("relayer/golden_batches.json");

  it("equal the published authorization", () => {
    const vector = vectors.find(({ name }) => name.startsWith("authorizeSessionSigner"));
    const { wallet = "", calls = [] } = vector?.message ?? {};
    const wanted = { address: vector?.sessionSigner ?? "", validUntil: 1_815_534_000n };
    expect(buildAuthorizeCall(wallet, wanted)).toMatchObject(
      calls[0] ? { ...calls[0], value: 0n } : {},
    );
  });

  it("revoke with the published selector", () => {
    const { target, data } = buildRevokeCall(WALLET, SESSION.address);
    expect(target).toBe(WALLET);
    expect(data).toBe(`0xe63f952f${"0".repeat(24)}${SESSION.address.slice(2).toLowerCase()}`);
  });
});
