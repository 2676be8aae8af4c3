import { afterEach, describe, expect, it } from "vitest";
import { readCash } from "@/lib/ledger/read-balances";
import { getDb } from "@/lib/db/client";
import { toUserId } from "@/lib/sandbox/accounts";
import { requireAccount } from "@/lib/accounts/require-account";
import { changeSwitches, NO_FAULTS } from "@/lib/sandbox/switches";
import { ONE, price } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { findPriceInside, freshMarket, useTestClock } from "@/tests/support/exchange/orders";
import { callClob } from "@/tests/support/sandbox/call";
import {
  makeSandboxWallet,
  openOrderIds,
  placeSigned,
  type SandboxWallet,
  signedBody,
} from "@/tests/support/sandbox/wallet";

useFreshDatabase();
const clock = useTestClock();

const { changedAt: _changedAt, ...OFF } = NO_FAULTS;
afterEach(() => changeSwitches(OFF));

const rehearse = (fault: string) => ({ "X-Rehearse": fault });

function bid(wallet: SandboxWallet, postOnly = false) {
  const market = freshMarket();
  const body = signedBody(wallet, market, {
    side: "BUY",
    at: findPriceInside(market)(0),
    size: 10n,
  });
  return { ...(body as object), postOnly };
}

async function readHeld({ caller }: SandboxWallet): Promise<bigint> {
  const db = await getDb();
  const account = await requireAccount(db, { userId: toUserId(caller.owner), mode: "paper" });
  return (await readCash(db, account)).held;
}

/** A wallet with one resting order. */
async function makeTrader() {
  const wallet = await makeSandboxWallet();
  const market = freshMarket();
  const id = await placeSigned(wallet, market, {
    side: "BUY",
    at: findPriceInside(market)(0),
    size: 10n,
  });
  return { wallet, id, held: await readHeld(wallet) };
}

const CANCEL_ONLY =
  "Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.";
const DISABLED = "Trading is currently disabled. Check polymarket.com for updates";
const GEOBLOCKED =
  "Trading restricted in your region, please refer to available regions - https://docs.polymarket.com/developers/CLOB/geoblock";
const POST_ONLY = "post-only mode: only post-only orders and cancels are allowed";

const REFUSALS = [
  ["restarting", { status: 425, body: null }],
  ["cancel-only", { status: 503, body: { error: CANCEL_ONLY } }],
  ["disabled", { status: 503, body: { error: DISABLED } }],
  ["geoblock", { status: 403, body: { error: GEOBLOCKED } }],
  ["rate-limit", { status: 429, body: { error: "Too Many Requests" } }],
] as const;

describe("an order sent with X-Rehearse", () => {
  it.each(REFUSALS)(
    "is refused as the venue does while %s, and changes nothing",
    async (fault, reply) => {
      const { wallet, id, held } = await makeTrader();
      const order = bid(wallet);
      const options = { body: order, headers: rehearse(fault) };
      expect(await callClob(wallet, ["POST", "/order"], options)).toMatchObject(reply);
      expect(
        await callClob(wallet, ["POST", "/orders"], { ...options, body: [order] }),
      ).toMatchObject(reply);
      expect(await openOrderIds(wallet)).toEqual([id]);
      expect(await readHeld(wallet)).toBe(held);
      // The same signed order is accepted afterwards, because it was not placed.
      expect(await callClob(wallet, ["POST", "/order"], { body: order })).toMatchObject({
        body: { success: true, status: "live" },
      });
    },
  );

  it("is refused in post-only mode unless it is post-only, one by one and in a batch", async () => {
    const { wallet, id } = await makeTrader();
    const headers = rehearse("post-only");
    const [plain, postOnly] = [bid(wallet), bid(wallet, true)];
    const refused = await callClob(wallet, ["POST", "/order"], { body: plain, headers });
    expect(refused).toMatchObject({
      status: 503,
      body: { error: POST_ONLY, code: "post_only_mode", retry_after_seconds: 120 },
    });
    expect(refused.headers.get("retry-after")).toBe("120");
    expect(await openOrderIds(wallet)).toEqual([id]);
    const batch = await callClob(wallet, ["POST", "/orders"], { body: [plain, postOnly], headers });
    expect(batch).toMatchObject({
      status: 200,
      body: [
        { success: true, errorMsg: POST_ONLY, orderID: "", status: "" },
        { success: true, errorMsg: "", status: "live" },
      ],
    });
    expect(await openOrderIds(wallet)).toHaveLength(2);
  });

  it("carries the headers of the rate limiter when it is refused by it", async () => {
    const { wallet } = await makeTrader();
    const options = { body: bid(wallet), headers: rehearse("rate-limit") };
    const { headers } = await callClob(wallet, ["POST", "/order"], options);
    const seconds = Math.floor(clock.now / 1000);
    expect(headers.get("retry-after")).toBe("1");
    expect(headers.get("poly-ratelimit-remaining")).toBe("0");
    expect(headers.get("poly-ratelimit-reset")).toBe(String(seconds + 1));
    expect(headers.get("poly-ratelimit-tier")).toBe("Standard");
  });

  it("is refused with the known names if the fault is unknown, and changes nothing", async () => {
    const { wallet, id } = await makeTrader();
    const options = { body: bid(wallet), headers: rehearse("toString") };
    expect(await callClob(wallet, ["POST", "/order"], options)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^X-Rehearse: must be one of restarting, post-only/) },
    });
    expect(await openOrderIds(wallet)).toEqual([id]);
  });

  it("is refused for its API key before an unknown fault is named", async () => {
    const { wallet, id } = await makeTrader();
    const headers = { ...rehearse("toString"), POLY_SIGNATURE: "" };
    const options = { body: bid(wallet), headers };
    expect(await callClob(wallet, ["POST", "/order"], options)).toMatchObject({ status: 401 });
    expect(await openOrderIds(wallet)).toEqual([id]);
  });

  it("is refused by region before its API key is checked", async () => {
    const { wallet } = await makeTrader();
    const headers = { ...rehearse("geoblock"), POLY_SIGNATURE: "" };
    const options = { body: bid(wallet), headers };
    expect(await callClob(wallet, ["POST", "/order"], options)).toMatchObject({ status: 403 });
  });
});

describe("an order delayed with X-Rehearse", () => {
  it("can't be canceled before it matches, seconds later", async () => {
    const [maker, taker] = [await makeSandboxWallet(), await makeSandboxWallet()];
    const market = freshMarket({ inside: 2 });
    const at = findPriceInside(market)(0);
    const ask = { side: "BUY", at: price(ONE - at), size: 10n, outcome: 1 } as const;
    await placeSigned(maker, market, ask);
    const body = signedBody(taker, market, { side: "BUY", at, size: 10n });
    const placed = await callClob(taker, ["POST", "/order"], {
      body,
      headers: rehearse("delayed"),
    });
    expect(placed.body).toMatchObject({ success: true, status: "delayed", makingAmount: "" });
    const { orderID: id } = placed.body as { orderID: string };
    const reason = "order can't be found - already canceled or matched";
    for (const call of [
      callClob(taker, ["DELETE", "/order"], { body: { orderID: id } }),
      callClob(taker, ["DELETE", "/cancel-all"]),
    ]) {
      expect((await call).body).toEqual({ canceled: [], not_canceled: { [id]: reason } });
    }
    expect((await callClob(taker, ["GET", `/data/order/${id}`])).body).toMatchObject({
      status: "DELAYED",
      size_matched: "0",
    });
    clock.advance(3_000);
    // A new order in the market first matches what is due.
    await placeSigned(maker, market, { side: "BUY", at: findPriceInside(market)(0), size: 5n });
    expect((await callClob(taker, ["GET", `/data/order/${id}`])).body).toMatchObject({
      status: "MATCHED",
      size_matched: "10",
    });
  });
});

describe("a cancel sent with X-Rehearse", () => {
  it.each([
    ["restarting", 425],
    ["disabled", 503],
    ["rate-limit", 429],
  ])("is refused while %s, and the order stays", async (fault, status) => {
    const { wallet, id, held } = await makeTrader();
    const headers = rehearse(fault);
    for (const path of ["/cancel-all", "/cancel-market-orders"]) {
      expect(await callClob(wallet, ["DELETE", path], { headers })).toMatchObject({ status });
    }
    const one = { body: { orderID: id }, headers };
    expect(await callClob(wallet, ["DELETE", "/order"], one)).toMatchObject({ status });
    const several = { body: [id], headers };
    expect(await callClob(wallet, ["DELETE", "/orders"], several)).toMatchObject({ status });
    expect(await openOrderIds(wallet)).toEqual([id]);
    expect(await readHeld(wallet)).toBe(held);
  });

  it.each(["cancel-only", "post-only", "geoblock"])("works while %s", async (fault) => {
    const { wallet, id } = await makeTrader();
    const reply = await callClob(wallet, ["DELETE", "/cancel-all"], { headers: rehearse(fault) });
    expect(reply.body).toEqual({ canceled: [id], not_canceled: {} });
  });
});

describe("the operator's switches", () => {
  it("apply to clients that send no header, until they are changed back", async () => {
    const { wallet } = await makeTrader();
    const order = bid(wallet);
    await changeSwitches({ phase: "cancel-only" });
    expect(await callClob(wallet, ["POST", "/order"], { body: order })).toMatchObject({
      status: 503,
      body: { error: CANCEL_ONLY },
    });
    await changeSwitches({ phase: "open" });
    expect(await callClob(wallet, ["POST", "/order"], { body: order })).toMatchObject({
      body: { status: "live" },
    });
  });

  it("keep the switches that a change does not name", async () => {
    await changeSwitches({ phase: "post-only" });
    expect(await changeSwitches({ isGeoblocked: true })).toEqual({
      ...NO_FAULTS,
      phase: "post-only",
      isGeoblocked: true,
      changedAt: clock.now,
    });
  });

  it("count down the time in post-only mode from the change, to no less than a second", async () => {
    const { wallet } = await makeTrader();
    await changeSwitches({ phase: "post-only" });
    for (const [passed, left] of [
      [41_000, 79],
      [600_000, 1],
    ] as const) {
      clock.advance(passed);
      const reply = await callClob(wallet, ["POST", "/order"], { body: bid(wallet) });
      expect(reply.body).toMatchObject({ retry_after_seconds: left });
    }
  });

  it("leave reads alone", async () => {
    const { wallet } = await makeTrader();
    await changeSwitches({ phase: "disabled", isGeoblocked: true, isRateLimited: true });
    expect(await callClob(wallet, ["GET", "/data/orders"])).toMatchObject({ status: 200 });
    expect(await callClob(wallet, ["GET", "/version"])).toMatchObject({ status: 200 });
  });
});
