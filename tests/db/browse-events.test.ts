import { beforeAll, expect, it } from "vitest";
import { deposit } from "@/lib/accounts/deposit";
import { AppError } from "@/lib/errors";
import { browseEvents } from "@/lib/events/browse-events";
import { listEvents } from "@/lib/events/list-events";
import { shares, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, place, useTestClock } from "@/tests/support/exchange/orders";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
useTestClock();

const DEPOSITS = 60;

let user: TestUser;
beforeAll(async () => {
  user = await makeUser();
  for (let made = 0; made < DEPOSITS; made += 1) await deposit(user.userId, usdc(1_000_000n));
});

it("the pages of the log, newest first, are together the log as the API gives it", async () => {
  const pages = [];
  let cursor: string | undefined;
  do {
    const { events, nextCursor } = await browseEvents(user.principal, {}, cursor);
    pages.push(events);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(pages.length).toBeGreaterThan(1);
  const { events } = await listEvents(user.principal, { limit: 1_000 });
  expect(pages.flat().toReversed()).toEqual(events);
});

it("a filter selects types, and an order's id its events", async () => {
  const types = ["deposit.created"] as const;
  const { events } = await browseEvents(user.principal, { types }, undefined);
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(types));
  const none = await browseEvents(user.principal, { orderId: "ord_none" }, undefined);
  expect(none).toEqual({ events: [], markets: new Map(), nextCursor: null });
});

it("a page has the markets of its orders and fills", async () => {
  const [trader, market] = [await makeUser(), freshMarket()];
  await place(trader, { market, action: "BUY", outcome: 1, size: shares(10_000_000n) });
  const { events, markets } = await browseEvents(trader.principal, {}, undefined);
  expect(events.some(({ data }) => "fill" in data)).toBe(true);
  const { id, title, tick } = market;
  const [firstOutcome, secondOutcome] = market.outcomes.map(({ name }) => name);
  expect([...markets.keys()]).toEqual([id]);
  expect(markets.get(id)).toMatchObject({ title, tick, firstOutcome, secondOutcome });
  const ofFills = await browseEvents(trader.principal, { types: ["fill.created"] }, undefined);
  expect([...ofFills.markets.keys()]).toEqual([id]);
});

it("another account's log is not shown, and a cursor of another list is refused", async () => {
  const other = await makeUser();
  const { events } = await browseEvents(other.principal, {}, undefined);
  expect(events.length).toBeLessThan(10);
  const refused = browseEvents(user.principal, {}, "bm9uZQ");
  await expect(refused).rejects.toMatchObject({ code: "INVALID_CURSOR" });
  await expect(refused).rejects.toBeInstanceOf(AppError);
});
