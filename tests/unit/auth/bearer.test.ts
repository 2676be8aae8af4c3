import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { composeKey, KEY_RANDOM_BYTES } from "@/lib/auth/api-key";
import { readBearer } from "@/lib/auth/bearer";

const KEY = composeKey("paper", randomBytes(KEY_RANDOM_BYTES));
const OTHER = composeKey("paper", randomBytes(KEY_RANDOM_BYTES));

const read = (value: string) => readBearer(new Headers({ authorization: value }));

function readCode(value: string): string {
  try {
    read(value);
    return "accepted";
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe("readBearer", () => {
  it.each([
    ["as documented", `Bearer ${KEY}`],
    ["with a scheme in other letters", `bEARER ${KEY}`],
    ["with more than one space", `Bearer   ${KEY}`],
    ["with space around it", `  Bearer ${KEY}  `],
  ])("accepts a key sent %s", (_, value) => {
    expect(read(value)).toEqual({
      key: KEY,
      parsed: { mode: "paper", id: KEY.slice("ante_paper_".length).slice(0, 8) },
    });
  });

  it("throws MISSING_API_KEY without a header, and for an empty one", () => {
    expect(() => readBearer(new Headers())).toThrow("Authorization: Bearer <USER_API_KEY>");
    expect(readCode("")).toBe("MISSING_API_KEY");
    expect(readCode("   ")).toBe("MISSING_API_KEY");
  });

  it.each([
    ["no scheme", KEY],
    ["another scheme", `Basic ${KEY}`],
    ["a scheme without a key", "Bearer"],
    ["a scheme glued to the key", `Bearer${KEY}`],
    ["a tab instead of a space", `Bearer\t${KEY}`],
    ["two keys in one header", `Bearer ${KEY} ${OTHER}`],
    ["a scheme said twice", `Bearer Bearer ${KEY}`],
    ["quotes around the key", `Bearer "${KEY}"`],
    ["a key of the wrong form", "Bearer sk_live_123"],
    ["a key with a wrong checksum", `Bearer ${KEY.slice(0, -1)}${KEY.endsWith("a") ? "b" : "a"}`],
  ])("refuses %s", (_, value) => {
    expect(readCode(value)).toBe("INVALID_API_KEY");
  });

  it("rejects two Authorization headers, even equal ones", () => {
    const headers = new Headers();
    headers.append("authorization", `Bearer ${KEY}`);
    headers.append("authorization", `Bearer ${KEY}`);
    expect(() => readBearer(headers)).toThrow("doesn't contain a valid API key");
  });

  it("returns a 401 that names the scheme and never repeats the sent text", () => {
    for (const value of ["", "Bearer ante_paper_almost-a-key", `Basic ${KEY}`]) {
      try {
        read(value);
        expect.unreachable();
      } catch (error) {
        expect(error).toMatchObject({ status: 401, headers: { "www-authenticate": "Bearer" } });
        expect(String(error)).not.toContain("almost-a-key");
        expect(String(error)).not.toContain(KEY);
      }
    }
  });
});
