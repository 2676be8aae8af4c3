import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { newId } from "@/lib/ids";
import {
  decodeCursor,
  decodeTimeCursor,
  encodeCursor,
  encodeTimeCursor,
  pageOf,
} from "@/lib/services/cursor";

const Values = z.tuple([z.number(), z.string()]);
const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const cursorOfRow = (row: number) => `after ${row}`;
const refusal = { code: "INVALID_CURSOR", status: 400 };

describe("a cursor", () => {
  it.each([
    [0, ""],
    [-1.5, "plain"],
    [1e21, 'naïve – “quotes” \\ / " \0'],
    [Number.MAX_SAFE_INTEGER, "\u{1f600}"],
  ])("of %s and %j comes back as it was", (...values) => {
    expect(decodeCursor("list", Values, encodeCursor("list", values))).toEqual(values);
  });

  it("may stand in a URL as it is", () => {
    for (let value = 0; value < 300; value += 1) {
      const cursor = encodeCursor("list", [value, "?".repeat(value % 7)]);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    }
  });

  it("of one list is refused by another", () => {
    const cursor = encodeCursor("orders", [1, "a"]);
    expect(() => decodeCursor("fills", Values, cursor)).toThrow(expect.objectContaining(refusal));
  });

  it.each([
    ["nothing", ""],
    ["no base64", "not a cursor!"],
    ["no JSON", Buffer.from("list,1,a").toString("base64url")],
    ["no array", cursorOf({ list: 1 })],
    ["null", cursorOf(null)],
    ["the right values without a signature", cursorOf(["list", 1, "a"])],
    ["less than a signature", Buffer.alloc(4).toString("base64url")],
  ])("that holds %s is refused", (_, cursor) => {
    expect(() => decodeCursor("list", Values, cursor)).toThrow(expect.objectContaining(refusal));
  });

  it("of which any bit was changed is refused", () => {
    const bytes = Buffer.from(encodeCursor("list", [1, "a?"]), "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => decodeCursor("list", Values, changed.toString("base64url"))).toThrow(
        expect.objectContaining(refusal),
      );
    }
  });

  it("of another service's making is refused: it is signed with this one's secret", async () => {
    vi.stubEnv("NEXTAUTH_SECRET", "another-session-secret-of-32-characters");
    vi.resetModules();
    try {
      const other = await import("@/lib/services/cursor");
      const cursor = other.encodeCursor("list", [1, "a?"]);
      expect(other.decodeCursor("list", Values, cursor)).toEqual([1, "a?"]);
      expect(() => decodeCursor("list", Values, cursor)).toThrow(expect.objectContaining(refusal));
    } finally {
      vi.unstubAllEnvs();
      vi.resetModules();
    }
  });

  it("of ours from before its list changed is refused like any other bad one", () => {
    for (const values of [[1], [1, "a", 2], ["1", "a"]]) {
      const cursor = encodeCursor("list", values);
      expect(() => decodeCursor("list", Values, cursor)).toThrow(expect.objectContaining(refusal));
    }
  });

  it("is accepted in one spelling only", () => {
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

  it("comes back to the millisecond", () => {
    expect(decodeTimeCursor("orders", encodeTimeCursor("orders", row))).toEqual(row);
  });

  it("is null when none is given", () => {
    expect(decodeTimeCursor("orders", undefined)).toBeNull();
  });

  it("of another list of the same form is refused", () => {
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
  ])("of %j cut at %i is %j and goes on at %j", (rows, limit, page, nextCursor) => {
    expect(pageOf(rows, limit, cursorOfRow)).toEqual({ rows: page, nextCursor });
  });
});
