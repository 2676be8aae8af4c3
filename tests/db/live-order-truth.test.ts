import { describe, expect, it } from "vitest";
import { price, shares, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database";
import { makeLiveUser, type Order, send, useLiveVenue } from "@/tests/support/live";
import { failRequests, TAKEN, UNSEEN } from "@/tests/support/live-faults";
import { compare, converge, disagreements } from "@/tests/support/live-truth";
import type { Fault } from "@/tests/support/fault-server";

const venue = await useLiveVenue();
useFreshDatabase();

const RESTING: Order = {
  action: "BUY",
  orderType: "limit",
  price: price(10_000n),
  shares: shares(10_000_000n),
};
const MARKETABLE: Order = { action: "BUY", orderType: "market", amount: usdc(20_000_000n) };
const EXACT: Order = { action: "BUY", orderType: "market", shares: shares(30_000_000n) };
const KINDS: [string, Order][] = [
  ["a resting order", RESTING],
  ["a market buy", MARKETABLE],
  ["a market buy of exact shares", EXACT],
];

/** Lets a fault happen to the first `times` posted orders. */
function failPosts(fault: Fault, times?: number): void {
  failRequests(venue, "POST", "/clob/order", fault, times);
}
const heal = () => {
  venue.fault = () => null;
};

describe.each(KINDS)("%s", (_, order) => {
  it.each(Object.entries(TAKEN))("is placed once when %s", async (_name, fault) => {
    const user = await makeLiveUser();
    failPosts(fault, 1);
    const first = await send(user, order, "key");
    heal();
    expect([200, 502]).toContain(first.status);
    const again = await send(user, order, "key");
    expect(again.status).toBe(200);
    await converge(user);
    expect(await disagreements(user)).toEqual([]);
    expect((await compare(user)).filter(({ venue: at }) => at !== null)).toHaveLength(1);
  });
});

describe("a resting order", () => {
  it.each(Object.entries(UNSEEN))("is placed once when %s, and asked again", async (_n, fault) => {
    const user = await makeLiveUser();
    failPosts(fault);
    const first = await send(user, RESTING, "key");
    expect(first.status).toBe(502);
    heal();
    expect(await send(user, RESTING, "key")).toMatchObject({ status: 200 });
    await converge(user);
    expect(await disagreements(user)).toEqual([]);
    expect((await compare(user)).filter(({ venue: at }) => at !== null)).toHaveLength(1);
  });
});

it("an order that never arrived and is not asked for again is given up and releases its hold", async () => {
  const user = await makeLiveUser();
  failPosts(async (_, { drop }) => drop());
  expect((await send(user, RESTING, "key")).status).toBe(502);
  await converge(user);
  const [found] = await compare(user);
  expect(found).toMatchObject({ ours: { status: "abandoned", held: 0n }, venue: null });
  expect(await disagreements(user)).toEqual([]);
  heal();
  expect(await send(user, RESTING, "key")).toMatchObject({ status: 400, code: "ORDER_ABANDONED" });
  expect(await compare(user)).toHaveLength(1);
});

it("an order that arrives after it was given up is adopted and canceled", async () => {
  const user = await makeLiveUser();
  let arrive = () => {};
  const isGivenUp = new Promise<void>((resolve) => (arrive = resolve));
  let isFirst = true;
  failPosts(async (handle, { drop }) => {
    drop();
    if (!isFirst) return;
    isFirst = false;
    await isGivenUp;
    await handle();
  });
  expect((await send(user, RESTING, "key")).status).toBe(502);
  await converge(user);
  heal();
  expect((await compare(user))[0]).toMatchObject({ ours: { status: "abandoned" }, venue: null });
  arrive();
  await expect
    .poll(async () => (await compare(user))[0]?.venue, { timeout: 60_000 })
    .not.toBeNull();
  const look = async () => {
    await converge(user);
    return (await compare(user))[0];
  };
  await expect.poll(look, { timeout: 60_000 }).toMatchObject({
    ours: { status: "canceled", held: 0n },
    venue: { status: "canceled" },
  });
  expect(await disagreements(user)).toEqual([]);
});

it("50 requests with one key at once make one order, and all get its answer in the end", async () => {
  const user = await makeLiveUser();
  failPosts(TAKEN["the connection is lost on the way back"] ?? (async () => {}), 1);
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => send(user, RESTING, "key")));
  heal();
  for (const { status } of outcomes) expect([200, 502]).toContain(status);
  const askAll = async () => {
    const again = await Promise.all(Array.from({ length: 50 }, () => send(user, RESTING, "key")));
    return [...new Set(again.map(({ status }) => status))];
  };
  await expect.poll(askAll, { timeout: 25_000 }).toEqual([200]);
  expect((await compare(user)).filter(({ venue: at }) => at !== null)).toHaveLength(1);
  await converge(user);
  expect(await disagreements(user)).toEqual([]);
});
