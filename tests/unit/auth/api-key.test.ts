import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { composeKey, KEY_RANDOM_BYTES, parseKey } from "@/lib/auth/api-key";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const newKey = (mode: "paper" | "live" = "paper") =>
  composeKey(mode, randomBytes(KEY_RANDOM_BYTES));

/** Decodes a base-62 number. */
const hashValue = (text: string) =>
  [...text].reduce((value, digit) => value * 62 + DIGITS.indexOf(digit), 0);

describe("composeKey", () => {
  it.each(["paper", "live"] as const)("builds a %s key in the documented format", (mode) => {
    for (let round = 0; round < 200; round += 1) {
      const key = newKey(mode);
      expect(key).toMatch(new RegExp(`^ante_${mode}_[0-9A-Za-z]{8}[0-9A-Za-z]{32}[0-9A-Za-z]{6}$`));
    }
  });

  it("ends with the CRC-32 of everything before it, in base 62", () => {
    for (let round = 0; round < 200; round += 1) {
      const key = newKey();
      expect(hashValue(key.slice(-6))).toBe(crc32(key.slice(0, -6)));
    }
  });

  it("uses every random byte: keys differ if one byte differs", () => {
    const random = new Uint8Array(KEY_RANDOM_BYTES);
    const keys = new Set([composeKey("paper", random)]);
    for (let index = 0; index < KEY_RANDOM_BYTES; index += 1) {
      const changed = Uint8Array.from(random);
      changed[index] = 1;
      keys.add(composeKey("paper", changed));
    }
    expect(keys.size).toBe(KEY_RANDOM_BYTES + 1);
  });

  it("draws all digits about equally often", () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < 2_000; round += 1) {
      const body = newKey().slice("ante_paper_".length, -6);
      for (const digit of body) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    }
    // Each of the 62 digits is expected about 1,290 times, with a standard deviation of 36.
    expect(counts.size).toBe(62);
    expect(Math.min(...counts.values())).toBeGreaterThan(1_290 - 6 * 36);
    expect(Math.max(...counts.values())).toBeLessThan(1_290 + 6 * 36);
  });
});

describe("parseKey", () => {
  it.each(["paper", "live"] as const)("returns mode and public id of a %s key", (mode) => {
    const key = newKey(mode);
    expect(parseKey(key)).toEqual({ mode, id: key.slice(`ante_${mode}_`.length).slice(0, 8) });
  });

  it("rejects every key with one wrong or two swapped characters", () => {
    const key = newKey();
    for (let index = 0; index < key.length; index += 1) {
      const digit = key[index] === "x" ? "y" : "x";
      expect(parseKey(key.slice(0, index) + digit + key.slice(index + 1))).toBeNull();
    }
    const start = "ante_paper_".length;
    for (let index = start; index < key.length - 1; index += 1) {
      if (key[index] === key[index + 1]) continue;
      const swapped = [...key];
      [swapped[index], swapped[index + 1]] = [swapped[index + 1] ?? "", swapped[index] ?? ""];
      expect(parseKey(swapped.join(""))).toBeNull();
    }
  });

  it("rejects a paper key whose mode was changed to live", () => {
    expect(parseKey(newKey("paper").replace("_paper_", "_live_"))).toBeNull();
  });

  it.each([
    ["nothing", () => ""],
    ["the prefix alone", () => "ante_paper_"],
    ["another product's key", () => newKey().replace("ante", "anti")],
    ["another mode", () => newKey().replace("paper", "demo")],
    ["capitals in the prefix", () => newKey().replace("ante", "ANTE")],
    ["a character less", () => newKey().slice(0, -1)],
    ["a character more", () => `${newKey()}a`],
    ["a space before", () => ` ${newKey()}`],
    ["a line break after", () => `${newKey()}\n`],
    ["a key inside other text", () => `key=${newKey()}`],
    ["digits outside base 62", () => `ante_paper_${"é".repeat(46)}`],
  ])("refuses %s", (_, text) => {
    expect(parseKey(text())).toBeNull();
  });
});
