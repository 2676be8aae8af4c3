import { fromMicro, toMicro } from "@ante/client";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_MICRO } from "@/lib/units";
import { readJson, writeJson } from "@/packages/client/src/decimal";

const micro = fc.bigInt({ min: -MAX_MICRO, max: MAX_MICRO });

describe("decimals", () => {
  it("become millionths and back without a change", () => {
    fc.assert(fc.property(micro, (value) => toMicro(fromMicro(value)) === value));
  });

  it("read from JSON have exactly the digits that the service wrote", () => {
    fc.assert(
      fc.property(micro, (value) => {
        const text = fromMicro(value);
        const number = text === "-0" ? "0" : text;
        expect(readJson(`{"price":${number},"seq":7}`)).toEqual({ price: text, seq: 7 });
      }),
    );
  });

  it("are written as JSON numbers with the same digits, and other fields as they are", () => {
    const order = { tokenId: "1", amount: "1000000.10", shares: undefined, idempotencyKey: 'a"b' };
    expect(writeJson(order)).toBe('{"tokenId":"1","amount":1000000.10,"idempotencyKey":"a\\"b"}');
  });

  it.each([0.1, 5n, "", "1e3", "1,5", "0.1234567", " 1", "١", null])("refuse %s", (value) => {
    expect(() => writeJson({ amount: value })).toThrow(TypeError);
    expect(() => toMicro(value as string)).toThrow(TypeError);
  });

  it("can be null in a response", () => {
    expect(readJson('{"price":null}')).toEqual({ price: null });
  });
});
