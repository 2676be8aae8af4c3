import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { PlaceOrderBody } from "@/lib/schemas/orders";
import {
  toCanonicalFields,
  computeFingerprint,
  hashIdempotencyKey,
  readStoredAnswer,
} from "@/lib/orders/idempotency/fingerprint";
import { requireSameOrder } from "@/lib/orders/idempotency/key-errors";

const BODY = {
  tokenId: "123",
  action: "BUY",
  orderType: "limit",
  shares: 10,
  price: 0.5,
  tickSize: "0.01",
};

const createFields = (change: Record<string, unknown> = {}, mode: "paper" | "live" = "paper") =>
  toCanonicalFields(PlaceOrderBody.parse({ ...BODY, ...change }), mode);
const fingerprint = (...input: Parameters<typeof createFields>) =>
  computeFingerprint(createFields(...input));

/** Builds a stored claim. */
const stored = (fields: Record<string, string>) => ({
  userId: "usr_1",
  keyHash: "00",
  fingerprint: computeFingerprint(fields),
  fields,
  orderId: "ord_1",
  createdAt: new Date(0),
  status: 200,
  body: '{"ok":true}',
});

describe("hashIdempotencyKey", () => {
  it("is the SHA-256 of the key's UTF-16 code units", () => {
    const units = Buffer.from([0x61, 0x00, 0x3d, 0xd8, 0x00, 0xde]);
    expect(hashIdempotencyKey("a\u{1f600}")).toBe(createHash("sha256").update(units).digest("hex"));
  });

  it.each([
    ["NUL", ["a", "a\0", "a\0\0", "\0a", "\0", "\0\0"]],
    ["lone surrogates", ["\ud800", "\ud801", "\udc00", "\udfff", "\ufffd", "\ud800\ud800"]],
    ["halves of a pair in the other order", ["\ud83d\ude00", "\ude00\ud83d"]],
    ["forms of normalisation", ["\u00e9", "e\u0301", "\ufb01", "fi", "\u212b", "\u00c5"]],
    ["letters' case", ["key", "KEY", "Key", "ſ", "s", "ß", "ss", "ı", "i"]],
    ["white space", ["key", " key", "key ", "k ey", "key\n", "key\t", "key\u00a0", "key\u200b"]],
    ["bytes that only look alike", ["a", "\u0430", "\uff41", "a\ufeff", "\ufeffa"]],
    ["numbers and their text", ["1", "01", "1.0", "١"]],
  ])("differs for keys that differ in %s", (_, keys) => {
    expect(new Set(keys.map(hashIdempotencyKey)).size).toBe(keys.length);
  });

  it("is equal for equal keys of different origin", () => {
    expect(hashIdempotencyKey("a\u{1f600}b")).toBe(hashIdempotencyKey(`a${"\ud83d"}${"\ude00"}b`));
  });

  it("differs for every key of one code unit", () => {
    const hashes = new Set<string>();
    for (let unit = 0; unit <= 0xffff; unit += 1) {
      hashes.add(hashIdempotencyKey(String.fromCharCode(unit)));
    }
    expect(hashes.size).toBe(0x1_0000);
  });
});

describe("computeFingerprint", () => {
  it.each([
    ["numbers written otherwise", { price: Number("0.50"), shares: Number("10.000") }],
    ["a tick written otherwise", { tickSize: "0.010" }],
    ["properties that the interface does not know", { note: "hello", nonce: 7 }],
    ["another idempotency key", { idempotencyKey: "another" }],
  ])("does not change with %s", (_, change) => {
    expect(fingerprint(change)).toBe(fingerprint());
  });

  it("does not change with the order of the properties", () => {
    const reversed = Object.fromEntries(Object.entries(createFields()).toReversed());
    expect(computeFingerprint(reversed)).toBe(fingerprint());
  });

  it("differs for every change of a field", () => {
    const fingerprints = [
      fingerprint(),
      fingerprint({ tokenId: "124" }),
      fingerprint({ action: "SELL" }),
      fingerprint({ orderType: "market" }),
      fingerprint({ shares: 10.01 }),
      fingerprint({ shares: undefined }),
      fingerprint({ shares: undefined, amount: 10 }),
      fingerprint({ price: 0.51 }),
      fingerprint({ price: 0.500001 }),
      fingerprint({ price: undefined }),
      fingerprint({ tickSize: "0.001" }),
      fingerprint({ tickSize: undefined }),
      fingerprint({ tickSize: "cents" }),
      fingerprint({}, "live"),
    ];
    expect(new Set(fingerprints).size).toBe(fingerprints.length);
  });

  it("differs when a value moves to another field", () => {
    const [amount, shares] = [{ shares: undefined, amount: 7 }, { shares: 7 }];
    expect(fingerprint(amount)).not.toBe(fingerprint(shares));
    const forged = { ...BODY, tokenId: '123"],["action","SELL' };
    expect(fingerprint(forged)).not.toBe(fingerprint({ action: "SELL" }));
  });
});

describe("the stored response of a key", () => {
  it("is returned byte for byte for the same order", () => {
    const claim = stored(createFields());
    expect(() => requireSameOrder(claim, createFields({ tickSize: "0.010" }))).not.toThrow();
    expect(readStoredAnswer(claim)).toEqual({ status: 200, body: '{"ok":true}' });
  });

  it("is null while the outcome is unknown", () => {
    expect(readStoredAnswer({ ...stored(createFields()), status: null, body: null })).toBeNull();
  });

  it.each([
    ["tokenId", { tokenId: "124", action: "SELL", price: 0.1 }],
    ["action", { action: "SELL", shares: 3 }],
    ["orderType", { orderType: "market", price: 0.1 }],
    ["amount", { shares: undefined, amount: 7 }],
    ["shares", { shares: 3, price: 0.1 }],
    ["price", { price: 0.1, tickSize: "0.1" }],
    ["tickSize", { tickSize: undefined }],
  ])("is refused for another order, naming the first field that differs: %s", (name, change) => {
    expect(() => requireSameOrder(stored(createFields()), createFields(change))).toThrow(
      expect.objectContaining({
        code: "IDEMPOTENCY_KEY_REUSED",
        status: 400,
        message: expect.stringContaining(`: ${name} differs`),
      }),
    );
  });

  it("is refused for the other mode, naming the mode", () => {
    expect(() => requireSameOrder(stored(createFields()), createFields({}, "live"))).toThrow(
      "mode differs",
    );
  });
});
