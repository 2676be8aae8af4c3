import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { callApi } from "@/tests/support/api/call-api";
import { readError } from "@/tests/support/api/client";
import { expectError, expectRefusal, expectUnchanged } from "@/tests/support/api/state";

/** Counts copies over all tests, so that their ids differ. */
let copies = 0;

/**
 * Inserts copies of a user's order with ascending ids, several of them in the same millisecond. The
 * copies reserve nothing.
 */
export async function copyOrder(orderId: string, count: number): Promise<void> {
  const db = await getDb();
  const first = copies + 1;
  copies += count;
  await db.execute(sql`insert into orders (id, user_id, epoch, key_id, market_id, token_id, outcome,
      action, type, price_micro, shares_micro, amount_micro, status, filled_shares_micro,
      filled_notional_micro, fee_micro, held_micro, book_side, book_price_micro, match_after,
      idempotency_key_json, created_at, updated_at)
    select 'ord_01' || lpad(n::text, 24, '0'), user_id, epoch, key_id, market_id, token_id, outcome,
      action, type, price_micro, shares_micro, amount_micro, status, filled_shares_micro,
      filled_notional_micro, fee_micro, 0, book_side, book_price_micro, match_after,
      '"copy"', created_at + (n / 7) * interval '1 millisecond', updated_at
    from orders, generate_series(${first}::int, ${copies}::int) n where id = ${orderId}`);
}

interface PagedList {
  path: string;
  /** A cursor that the list returned. */
  cursor: () => Promise<string>;
  key: () => string;
}

/** Only some characters are changed, because changing each would take long. */
const ALTERED_EVERY = 3;

/** Tests that a list rejects every changed cursor. */
export function itRefusesBadCursors({ path, cursor, key }: PagedList): void {
  const separator = path.includes("?") ? "&" : "?";
  const ask = (nextCursor: string) =>
    callApi("GET", `${path}${separator}nextCursor=${encodeURIComponent(nextCursor)}`, {
      key: key(),
    });

  it.each([
    ["garbage", "x"],
    ["an id", "ord_01JD0000000000000000000000"],
    ["NUL", "\u0000"],
    ["characters outside base64", "€$%/ +"],
    ["JSON of another kind", Buffer.from('{"a":1}').toString("base64url")],
    ["an empty list", Buffer.from("[]").toString("base64url")],
    ["a name alone", Buffer.from('["open"]').toString("base64url")],
    ["10,000 characters", "A".repeat(10_000)],
  ])("a cursor that is %s is refused", async (_name, text) => {
    await expectRefusal({ code: "INVALID_CURSOR", message: "nextCursor" }, () => ask(text));
  });

  it("a cursor with anything added to it is refused", async () => {
    const good = await cursor();
    await expectUnchanged(async () => {
      for (const added of ["=", "==", " ", "A", "\n", ".", "\u0000"]) {
        expectError(await ask(`${good}${added}`), { code: "INVALID_CURSOR" });
        expectError(await ask(`${added}${good}`), { code: "INVALID_CURSOR" });
      }
    });
  });

  it("a cursor with any one character altered is refused", async () => {
    const good = await cursor();
    const accepted: string[] = [];
    for (let index = 0; index < good.length; index += ALTERED_EVERY) {
      const altered = `${good.slice(0, index)}${good[index] === "A" ? "B" : "A"}${good.slice(index + 1)}`;
      const answer = await ask(altered);
      if (answer.status === 200) accepted.push(altered);
      else expect(readError(answer).code).toBe("INVALID_CURSOR");
    }
    expect(accepted).toEqual([]);
  });

  it("an empty cursor is refused as an empty parameter", async () => {
    await expectRefusal({ code: "VALIDATION_ERROR", message: "nextCursor: " }, () => ask(""));
  });
}
