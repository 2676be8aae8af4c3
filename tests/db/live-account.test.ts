import { randomBytes } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { fillSettlements } from "@/lib/db/schema/remote-orders";
import { fills, markets, orders } from "@/lib/db/schema/trading";
import type { OrderStatus } from "@/lib/domain/order-status";
import { newId } from "@/lib/ids";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { getBalance } from "@/lib/services/account/get-balance";
import { getWallet } from "@/lib/services/account/get-wallet";
import { listActivity } from "@/lib/services/activity/list-activity";
import { listFills } from "@/lib/services/activity/list-fills";
import { listStatement } from "@/lib/services/activity/list-statement";
import { browseMarkets } from "@/lib/services/markets/browse-markets";
import { getOrder } from "@/lib/services/orders/get-order";
import { getOrderLine } from "@/lib/services/orders/get-order-line";
import { listClosedMarkets, listClosedOrders } from "@/lib/services/orders/list-closed-orders";
import { listOpenOrders } from "@/lib/services/orders/list-open-orders";
import { listOrders } from "@/lib/services/orders/list-orders";
import { readOpenOrderBoard } from "@/lib/services/orders/open-order-board";
import { previewOrder } from "@/lib/services/orders/preview-order";
import { getEquityCurve } from "@/lib/services/portfolio/get-equity-curve";
import { getPortfolio } from "@/lib/services/portfolio/get-portfolio";
import { getSummary } from "@/lib/services/portfolio/get-summary";
import { redeemPosition } from "@/lib/services/portfolio/redeem-position";
import { getTicketAccount } from "@/lib/services/ticket/get-ticket-account";
import { setWatched } from "@/lib/services/watchlist/set-watched";
import { price, shares, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database";
import { newOwner, storeWallet } from "@/tests/support/live-wallets";
import { useUpstream } from "@/tests/support/upstream";
import { makeUser, type TestUser } from "@/tests/support/users";

const upstream = useUpstream();
beforeAll(() => {
  process.env["VENUES"] = "paper,polymarket";
  process.env["ALLOW_EMBEDDED_DB_FOR_LIVE"] = "1";
});
useFreshDatabase();

const ID = `0x${"cd".repeat(32)}`;
const TOKEN = "123456789";

interface LiveUser {
  user: TestUser;
  live: Principal;
  funder: string;
}

async function makeLiveUser(): Promise<LiveUser> {
  const user = await makeUser();
  const owner = newOwner();
  const { address, funders } = owner;
  const identity = { userId: user.userId, address, funderAddress: funders[2] };
  await storeWallet({ ...identity, signatureType: 2 }, owner.privateKey);
  return { user, live: { ...user.principal, mode: "live" }, funder: funders[2] };
}

/** An order of the live account, as one of the venue's would be written down. */
async function insertOrder(userId: string, status: OrderStatus, held = 0n): Promise<string> {
  const db = await getDb();
  const at = new Date(now());
  const id = newId("ord");
  const market = {
    id: ID,
    slug: "will-it",
    title: "Will it?",
    icon: "category-science.svg",
    firstToken: TOKEN,
    secondToken: "987654321",
    firstOutcome: "Yes",
    secondOutcome: "No",
    tick: price(10_000n),
    feeRate: 0n,
    isNegRisk: false,
    opensAt: at,
    closesAt: at,
    resolvesAt: at,
  };
  await db.insert(markets).values(market).onConflictDoNothing();
  await db.insert(orders).values({
    id,
    userId,
    epoch: 0,
    marketId: ID,
    tokenId: TOKEN,
    outcome: 0,
    action: "BUY",
    type: "limit",
    price: price(500_000n),
    shares: shares(10_000_000n),
    status,
    filledShares: shares(0n),
    filledNotional: usdc(0n),
    fee: usdc(0n),
    held,
    bookSide: "bid",
    idempotencyKeyJson: JSON.stringify(randomBytes(8).toString("hex")),
    createdAt: at,
    updatedAt: at,
  });
  return id;
}

async function insertFill(userId: string, orderId: string, status: "failed" | "confirmed") {
  const db = await getDb();
  const [id, tradeId] = [newId("fil"), newId("trd")];
  await db.insert(fills).values({
    id,
    tradeId,
    orderId,
    userId,
    epoch: 0,
    marketId: ID,
    tokenId: TOKEN,
    action: "BUY",
    role: "taker",
    settlement: "complementary",
    price: price(500_000n),
    shares: shares(1_000_000n),
    notional: usdc(500_000n),
    fee: usdc(0n),
    createdAt: new Date(now()),
  });
  await db
    .insert(fillSettlements)
    .values({ fillId: id, tradeId, userId, status, updatedAt: new Date(now()) });
}

const BALANCE = { balance: "25500000", allowances: { "0xa": "1000000000", "0xb": "7000000" } };
const POSITION = {
  asset: TOKEN,
  conditionId: ID,
  size: 10,
  avgPrice: 0.4,
  initialValue: 4,
  currentValue: 5,
  cashPnl: 1,
  percentPnl: 25,
  curPrice: 0.5,
  redeemable: false,
  title: "Will it?",
  slug: "will-it",
  outcome: "Yes",
  negativeRisk: true,
};

beforeEach(() => {
  upstream.on("/clob/auth/derive-api-key", () => ({
    json: { apiKey: "k", secret: Buffer.from("secret").toString("base64"), passphrase: "p" },
  }));
  upstream.on("/clob/balance-allowance", () => ({ json: BALANCE }));
  upstream.on("/data/positions", () => ({ json: [POSITION] }));
  upstream.on("/data/v2/user-stats", () => ({
    json: { data: { all_time_pnl: { economic_pnl: 3.25 } } },
  }));
  upstream.on("/gamma/markets", () => ({ json: [] }));
});

describe("a live account", () => {
  it("has the venue's cash and the least of its approvals; paper keeps its own", async () => {
    const { user, live, funder } = await makeLiveUser();
    expect(await getBalance(live)).toMatchObject({
      userId: user.userId,
      funderAddress: funder,
      balanceBaseUnit: 25_500_000n,
      allowanceBaseUnit: 7_000_000n,
      balanceUsdc: 25_500_000n,
    });
    expect(await getBalance(user.principal)).toMatchObject({ balanceUsdc: 1_000_000_000n });
  });

  it("does not invent an approval that the venue does not name", async () => {
    upstream.on("/clob/balance-allowance", () => ({ json: { balance: "1" } }));
    const { live } = await makeLiveUser();
    expect(await getWallet(live)).toMatchObject({
      allowanceBaseUnit: null,
      allowanceState: "unknown",
      allowanceUsdc: null,
    });
  });

  it("is worth its cash and what the venue says of its positions", async () => {
    const { live } = await makeLiveUser();
    const portfolio = await getPortfolio(live);
    expect(portfolio).toMatchObject({
      balanceUsdc: 25_500_000n,
      portfolioValue: 30_500_000n,
      totalPnl: 3_250_000n,
    });
    expect(portfolio.positions).toEqual([
      expect.objectContaining({
        id: TOKEN,
        conditionId: ID,
        marketTitle: "Will it?",
        shares: 10_000_000n,
        value: 5_000_000n,
        pnl: 1_000_000n,
        pnlPercent: 25_000_000n,
        negativeRisk: true,
        redeemable: false,
      }),
    ]);
  });

  it("has free what its own unsettled orders do not reserve", async () => {
    const { user, live } = await makeLiveUser();
    await insertOrder(user.userId, "open", 5_000_000n);
    await insertOrder(user.userId, "unknown", 1_000_000n);
    expect(await getSummary(live)).toMatchObject({
      availableUsdc: 19_500_000n,
      reservedUsdc: 6_000_000n,
      positionsValue: 5_000_000n,
      netDeposits: null,
      openOrders: 1,
    });
    expect(await getSummary(user.principal)).toMatchObject({ reservedUsdc: 0n, openOrders: 0 });
  });

  it("has no history that the ledger could not know", async () => {
    const { live } = await makeLiveUser();
    expect(await listActivity(live, {})).toEqual({ lines: [], nextCursor: null });
    expect(await listStatement(live, {}, { limit: 10 })).toEqual({ lines: [], nextCursor: null });
    expect(await getEquityCurve(live, "all")).toBeNull();
  });

  it("does not redeem: that is done at the venue", async () => {
    const { live } = await makeLiveUser();
    await expect(redeemPosition(live, TOKEN)).rejects.toMatchObject({
      code: "ORDER_REJECTED",
      message: expect.stringContaining("polymarket.com"),
    });
  });

  it("is not there without a wallet", async () => {
    const user = await makeUser();
    const live: Principal = { ...user.principal, mode: "live" };
    for (const read of [getBalance, getWallet, getPortfolio, getSummary]) {
      await expect(read(live)).rejects.toMatchObject({ code: "WALLET_NOT_FOUND" });
    }
  });

  it("says so when the venue cannot be understood", async () => {
    upstream.on("/clob/balance-allowance", () => ({ status: 200, text: "<html>" }));
    const { live } = await makeLiveUser();
    await expect(getBalance(live)).rejects.toMatchObject({ code: "UPSTREAM_BAD_RESPONSE" });
  });
});

describe("orders of both accounts of a user", () => {
  const listsOf = async (principal: Principal) => [
    (await listOrders(principal, {})).orders.map(({ id }) => id),
    (await listOpenOrders(principal, {})).orders.map(({ id }) => id),
    (await listClosedOrders(principal, {})).orders.map(({ id }) => id),
    (await listClosedMarkets(principal)).map(({ id }) => id),
    (await readOpenOrderBoard(principal, {})).orders.map(({ id }) => id),
    (await listFills(principal, {})).fills.map(({ orderId }) => orderId),
  ];

  it("are listed for the account that placed them, and for no other", async () => {
    const { user, live } = await makeLiveUser();
    const [open, filled] = [
      await insertOrder(user.userId, "open"),
      await insertOrder(user.userId, "canceled"),
    ];
    await insertFill(user.userId, filled, "confirmed");
    const [all, ...rest] = await listsOf(live);
    expect(all?.toSorted()).toEqual([open, filled].toSorted());
    expect(rest).toEqual([[open], [filled], [ID], [open], [filled]]);
    expect(await listsOf(user.principal)).toEqual([[], [], [], [], [], []]);
  });

  it("are found by the account that placed them, and by no other", async () => {
    const { user, live } = await makeLiveUser();
    const id = await insertOrder(user.userId, "open");
    expect(await getOrder(live, id)).toMatchObject({ id });
    expect(await getOrderLine(live, id)).toMatchObject({ id });
    for (const read of [getOrder, getOrderLine]) {
      await expect(read(user.principal, id)).rejects.toMatchObject({ code: "ORDER_NOT_FOUND" });
    }
  });
});

describe("markets of the live venue", () => {
  const wire = {
    conditionId: ID,
    slug: "will-it",
    question: "Will it?",
    outcomes: '["Yes","No"]',
    outcomePrices: '["0.4","0.6"]',
    clobTokenIds: `["${TOKEN}","987654321"]`,
    orderPriceMinTickSize: 0.01,
    orderMinSize: 5,
    endDate: "2030-01-01T00:00:00Z",
    startDate: "2026-01-01T00:00:00Z",
    closed: false,
    acceptingOrders: true,
    oneDayPriceChange: 0.1,
  };
  const clob = { t: [{ t: TOKEN }, { t: "987654321" }], mts: 0.01, mos: 5 };
  const book = {
    asset_id: TOKEN,
    bids: [{ price: "0.44", size: "100" }],
    asks: [{ price: "0.46", size: "100" }],
  };
  beforeEach(() => {
    upstream.on("/gamma/events/keyset", () => ({ json: { events: [] } }));
    upstream.on("/gamma/markets", ({ query }) => ({
      json: query.get("closed") === "true" ? [] : [wire],
    }));
    upstream.on(`/clob/clob-markets/${ID}`, () => ({ json: clob }));
    upstream.on("/clob/book", () => ({ json: book }));
    upstream.on("/clob/books", () => ({ json: [book] }));
  });

  it("are shown when they are watched, though nobody lists them", async () => {
    const { live } = await makeLiveUser();
    await setWatched(live, [ID], true);
    const query = { search: "", category: null, status: null, eventSlug: null, limit: 10 };
    const browse = (isWatchlist: boolean) =>
      browseMarkets(live, { ...query, sort: "move", isWatchlist });
    expect((await browse(false)).groups).toEqual([]);
    expect((await browse(true)).groups).toEqual([
      expect.objectContaining({ title: "Will it?", isWatched: true, status: "open" }),
    ]);
    expect((await browse(true)).groups[0]?.markets[0]).toMatchObject({
      chance: 450_000n,
      change: 150_000n,
      spread: 20_000n,
    });
  });

  it("have a preview that says what the account lacks", async () => {
    const { live } = await makeLiveUser();
    const preview = (shareCount: bigint) =>
      previewOrder(live, {
        tokenId: TOKEN,
        action: "BUY",
        orderType: "limit",
        price: price(460_000n),
        shares: shares(shareCount),
      });
    expect(await preview(10_000_000n)).toMatchObject({
      refusal: null,
      shares: 10_000_000n,
      avgPrice: 460_000n,
      availableUsdc: 25_500_000n,
      availableShares: 10_000_000n,
    });
    expect((await preview(20_000_000n)).refusal).toMatchObject({ code: "INSUFFICIENT_ALLOWANCE" });
    expect((await preview(90_000_000n)).refusal).toMatchObject({ code: "INSUFFICIENT_BALANCE" });
  });

  it("tell the ticket what the account brings", async () => {
    const { live } = await makeLiveUser();
    expect(await getTicketAccount(live, ID)).toMatchObject({
      availableUsdc: 25_500_000n,
      approvedUsdc: 7_000_000n,
      holdings: [
        { tokenId: TOKEN, freeShares: 10_000_000n, reservedShares: 0n, avgPrice: 400_000n },
        { freeShares: 0n, avgPrice: null },
      ],
      hasOrdered: false,
    });
  });
});

describe("the books of a live account", () => {
  it("do not count a fill that was reversed, and miss one that was not", async () => {
    const { user } = await makeLiveUser();
    const id = await insertOrder(user.userId, "canceled");
    const about = async () =>
      (await verifyBooks()).problems.filter((problem) => problem.includes(`order ${id} shows`));
    await insertFill(user.userId, id, "failed");
    expect(await about()).toEqual([]);
    await insertFill(user.userId, id, "confirmed");
    expect(await about()).toHaveLength(1);
  });

  it("leave its positions to the venue", async () => {
    const { user } = await makeLiveUser();
    const id = await insertOrder(user.userId, "canceled");
    await insertFill(user.userId, id, "confirmed");
    const { problems } = await verifyBooks();
    expect(problems.filter((problem) => problem.startsWith("position"))).toEqual([]);
  });
});
