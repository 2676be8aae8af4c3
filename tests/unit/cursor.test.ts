import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { newId } from "@/lib/ids";
import {
  decodeCursor,
  decodeTimeCursor,
  encodeCursor,
  encodeTimeCursor,
  cutPage,
} from "@/lib/cursor";

const Values = z.tuple([z.number(), z.string()]);
const encodeAnything = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const cursorOfRow = (row: number) => `after ${row}`;
const refusal = { code: "INVALID_CURSOR", status: 400 };

describe("a cursor", () => {
  it.each([
    [0, ""],
    [-1.5, "plain"],
    [1e21, 'naïve – “quotes” \\ / " \0'],
    [Number.MAX_SAFE_INTEGER, "\u{1f600}"],
  ])("of %s and %j is decoded to the same values", (...values) => {
    expect(decodeCursor("list", Values, encodeCursor("list", values))).toEqual(values);
  });

  it("needs no escaping in a URL", () => {
    for (let value = 0; value < 300; value += 1) {
      const cursor = encodeCursor("list", [value, "?".repeat(value % 7)]);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    }
  });

  it("of one list is rejected by another", () => {
    const cursor = encodeCursor("orders", [1, "a"]);
    expect(() => decodeCursor("fills", Values, cursor)).toThrow(expect.objectContaining(refusal));
  });

  it.each([
    ["nothing", ""],
    ["no base64", "not a cursor!"],
    ["no JSON", Buffer.from("list,1,a").toString("base64url")],
    ["no array", encodeAnything({ list: 1 })],
    ["null", encodeAnything(null)],
    ["the right values without a signature", encodeAnything(["list", 1, "a"])],
    ["less than a signature", Buffer.alloc(4).toString("base64url")],
  ])("with %s is rejected", (_, cursor) => {
    expect(() => decodeCursor("list", Values, cursor)).toThrow(expect.objectContaining(refusal));
  });

  it("with any changed bit is rejected", () => {
    const bytes = Buffer.from(encodeCursor("list", [1, "a?"]), "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => decodeCursor("list", Values, changed.toString("base64url"))).toThrow(
        expect.objectContaining(refusal),
      );
    }
  });

  it("that another service signed is rejected", async () => {
    vi.stubEnv("NEXTAUTH_SECRET", "another-session-secret-of-32-characters");
    vi.resetModules();
    try {
      const other = await import("@/lib/cursor");
      const cursor = other.encodeCursor("list", [1, "a?"]);
      expect(other.decodeCursor("list", Values, cursor)).toEqual([1, "a?"]);
      expect(() => decodeCursor("list", Values, cursor)).toThrow(expect.objectContaining(refusal));
    } finally {
      vi.unstubAllEnvs();
      vi.resetModules();
    }
  });

  it("with an outdated format is rejected like an invalid one", () => {
    for (const values of [[1], [1, "a", 2], ["1", "a"]]) {
      const cursor = encodeCursor("list", values);
      expect(() => decodeCursor("list", Values, cursor)).toThrow(expect.objectContaining(refusal));
    }
  });

  it("is accepted only in its canonical encoding", () => {
    const cursor = encodeCursor("list", [1, "a?"]);
    const bytes = Buffer.from(cursor, "base64url");
    const spellings = [
      `${cursor}=`,
      `${cursor}\n`,
      ` ${cursor}`,
      `${cursor}!`,
      `${cursor.slice(0, 4)} ${cursor.slice(4)}`,
      Buffer.concat([bytes, Buffer.from(" ")]).toString("base64url"),
      Buffer.concat([Buffer.from(" "), bytes]).toString("base64url"),
    ];
    for (const spelling of spellings) {
      expect(() => decodeCursor("list", Values, spelling)).toThrow(
        expect.objectContaining(refusal),
      );
    }
    expect(decodeCursor("list", Values, cursor)).toEqual([1, "a?"]);
  });
});

describe("a cursor of (created_at, id)", () => {
  const row = { createdAt: new Date(Date.UTC(2026, 10, 21, 12, 0, 0, 7)), id: newId("ord") };

  it("is exact to the millisecond", () => {
    expect(decodeTimeCursor("orders", encodeTimeCursor("orders", row))).toEqual(row);
  });

  it("is null if none is given", () => {
    expect(decodeTimeCursor("orders", undefined)).toBeNull();
  });

  it("of another list with the same format is rejected", () => {
    const cursor = encodeTimeCursor("orders", row);
    expect(() => decodeTimeCursor("fills", cursor)).toThrow(expect.objectContaining(refusal));
  });
});

describe("a page", () => {
  it.each([
    [[], 2, [], null],
    [[1], 2, [1], null],
    [[1, 2], 2, [1, 2], null],
    [[1, 2, 3], 2, [1, 2], "after 2"],
  ])("of %j cut at %i is %j with the next cursor %j", (rows, limit, page, nextCursor) => {
    expect(cutPage(rows, limit, cursorOfRow)).toEqual({ rows: page, nextCursor });
  });
});
