import { randomBytes } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { fillSettlements } from "@/lib/db/schema/remote-orders";
import { fills, markets, orders } from "@/lib/db/schema/trading";
import type { OrderStatus } from "@/lib/domain/order-status";
import { newId } from "@/lib/ids";
import { getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { getBalance } from "@/lib/accounts/get-balance";
import { getWallet } from "@/lib/accounts/get-wallet";
import { listActivity } from "@/lib/activity/list-activity";
import { listFills } from "@/lib/activity/list-fills";
import { listStatement } from "@/lib/activity/list-statement";
import { browseMarkets } from "@/lib/markets/browse-markets";
import { getBook } from "@/lib/markets/get-book";
import { getMarket } from "@/lib/markets/get-market";
import { getOrder, getOrderLine } from "@/lib/orders/get-order";
import { listHistoryMarkets, listOrderHistory } from "@/lib/orders/order-history";
import { listOpenOrders, getOpenOrdersView } from "@/lib/orders/list-open-orders";
import { listOrders } from "@/lib/orders/list-orders";
import { placeOrder } from "@/lib/orders/place-order";
import { previewOrder } from "@/lib/orders/preview-order";
import { getEquityCurve } from "@/lib/portfolio/get-equity-curve";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { getSummary } from "@/lib/portfolio/get-summary";
import { getTicketAccount } from "@/lib/orders/get-ticket-account";
import { setWatched } from "@/lib/markets/watchlist";
import { price, shares, usdc } from "@/lib/units";
import { explainNoRelay } from "@/lib/wallet-transactions/require-relay";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { createOwner, storeWallet } from "@/tests/support/live/wallets";
import { readTokenId } from "@/tests/support/polymarket/recorded-data";
import { useUpstream } from "@/tests/support/polymarket/upstream";
import { makeUser, type TestUser } from "@/tests/support/users";

const upstream = useUpstream();
beforeAll(() => {
  process.env["VENUES"] = "paper,polymarket";
  process.env["ALLOW_EMBEDDED_DB_FOR_LIVE"] = "1";
});
useFreshDatabase();

const ID = `0x${"cd".repeat(32)}`;
const TOKEN = readTokenId("first");
const OTHER_TOKEN = readTokenId("second");
const toTokenHex = (tokenId: string) => BigInt(tokenId).toString(16).padStart(64, "0");

interface LiveUser {
  user: TestUser;
  live: Principal;
  funder: string;
}

async function makeLiveUser(): Promise<LiveUser> {
  const user = await makeUser();
  const owner = createOwner();
  const { address, funders } = owner;
  const identity = { userId: user.userId, address, funderAddress: funders[2] };
  await storeWallet({ ...identity, signatureType: 2 }, owner.privateKey);
  return { user, live: { ...user.principal, mode: "live" }, funder: funders[2] };
}

/** Inserts an order of the live account, as if it had been placed at the venue. */
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
    secondToken: OTHER_TOKEN,
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

/** Approvals of the exchanges, and of an adapter that no order needs. */
const allowances = (standard: string, negRisk: string, v3 = "0") => ({
  [getExchangeDomain(137, "ctf").verifyingContract]: standard,
  [getExchangeDomain(137, "negRisk").verifyingContract.toLowerCase()]: negRisk,
  [getExchangeDomain(137, "v3").verifyingContract]: v3,
  "0xadA2005600Dec949baf300f4C6120000bDB6eAab": "0",
});
const BALANCE = { balance: "25500000", allowances: allowances("7000000", "1000000000") };
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
  it("has the venue's cash and its lowest approval; the paper account is separate", async () => {
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

  it.each([
    [
      "counts the exchange of Protocol V2 once it is approved",
      ["7000000", "9000000", "5000000"],
      5n,
    ],
    ["is not lowered by an exchange of Protocol V2 without approval", ["7000000", "9000000"], 7n],
    ["is zero while an exchange of Protocol V1 is not approved", ["0", "9000000", "5000000"], 0n],
  ] as const)("has an allowance that %s", async (_what, [ctf, negRisk, v3], dollars) => {
    const json = { balance: "25500000", allowances: allowances(ctf, negRisk, v3) };
    upstream.on("/clob/balance-allowance", () => ({ json }));
    const { live } = await makeLiveUser();
    expect((await getBalance(live)).allowanceBaseUnit).toBe(dollars * 1_000_000n);
  });

  it("has no approval if the venue reports none", async () => {
    upstream.on("/clob/balance-allowance", () => ({ json: { balance: "1" } }));
    const { live } = await makeLiveUser();
    expect(await getWallet(live)).toMatchObject({
      allowanceBaseUnit: null,
      allowanceState: "unknown",
      allowanceUsdc: null,
    });
  });

  it("is worth its cash plus the venue's value of its positions", async () => {
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

  it("has available what its unsettled orders do not reserve", async () => {
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

  it("has no activity, no statement and no equity curve", async () => {
    const { live } = await makeLiveUser();
    expect(await listActivity(live, {})).toEqual({ lines: [], nextCursor: null });
    expect(await listStatement(live, {}, { limit: 10 })).toEqual({ lines: [], nextCursor: null });
    expect(await getEquityCurve(live, "all")).toBeNull();
  });

  it("has no claims without builder credentials, and says where to claim", async () => {
    const { live } = await makeLiveUser();
    expect(await explainNoRelay(live.userId)).toContain("polymarket.com");
  });

  it("is not found without a wallet", async () => {
    const user = await makeUser();
    const live: Principal = { ...user.principal, mode: "live" };
    for (const read of [getBalance, getWallet, getPortfolio, getSummary]) {
      await expect(read(live)).rejects.toMatchObject({ code: "WALLET_NOT_FOUND" });
    }
  });

  it("returns 502 when the venue's response is invalid", async () => {
    upstream.on("/clob/balance-allowance", () => ({ status: 200, text: "<html>" }));
    const { live } = await makeLiveUser();
    await expect(getBalance(live)).rejects.toMatchObject({ code: "UPSTREAM_BAD_RESPONSE" });
  });
});

describe("orders of both accounts of a user", () => {
  const readLists = async (principal: Principal) => [
    (await listOrders(principal, {})).orders.map(({ id }) => id),
    (await listOpenOrders(principal, {})).orders.map(({ id }) => id),
    (await listOrderHistory(principal, {})).orders.map(({ id }) => id),
    (await listHistoryMarkets(principal)).map(({ id }) => id),
    (await getOpenOrdersView(principal, {})).orders.map(({ id }) => id),
    (await listFills(principal, {})).fills.map(({ orderId }) => orderId),
  ];

  it("are listed only for the account that placed them", async () => {
    const { user, live } = await makeLiveUser();
    const [open, filled] = [
      await insertOrder(user.userId, "open"),
      await insertOrder(user.userId, "canceled"),
    ];
    await insertFill(user.userId, filled, "confirmed");
    const [all, ...rest] = await readLists(live);
    expect(all?.toSorted()).toEqual([open, filled].toSorted());
    expect(rest).toEqual([[open], [filled], [ID], [open], [filled]]);
    expect(await readLists(user.principal)).toEqual([[], [], [], [], [], []]);
  });

  it("are found only by the account that placed them", async () => {
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
    clobTokenIds: JSON.stringify([TOKEN, OTHER_TOKEN]),
    orderPriceMinTickSize: 0.01,
    orderMinSize: 5,
    endDate: "2030-01-01T00:00:00Z",
    startDate: "2026-01-01T00:00:00Z",
    closed: false,
    acceptingOrders: true,
    oneDayPriceChange: 0.1,
  };
  const clob = { t: [{ t: TOKEN }, { t: OTHER_TOKEN }], mts: 0.01, mos: 5 };
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

  it.each([
    ["V2", `This market uses a Polymarket protocol version that Ante doesn't know: "V2".`],
    ["v3", `This market uses a Polymarket protocol version that Ante doesn't know: "v3".`],
  ])(
    "of protocol %s reject orders with the reason before anything is signed",
    async (version, why) => {
      const [first, second] = [readTokenId(`${version}/0`), readTokenId(`${version}/1`)];
      const clobTokenIds = JSON.stringify([first, second]);
      const other = { ...wire, conditionId: `0x${toTokenHex(first)}`, slug: version, version };
      upstream.on("/gamma/markets", ({ query }) => ({
        json: query.get("closed") === "true" ? [] : [{ ...other, clobTokenIds }],
      }));
      const { live } = await makeLiveUser();
      const order = { action: "BUY", orderType: "limit" } as const;
      const body = { ...order, tokenId: first, price: price(10_000n), shares: shares(5_000_000n) };
      const refusal = { code: "MARKET_CLOSED", message: why };
      await expect(placeOrder(live, { ...body, idempotencyKey: version })).rejects.toMatchObject(
        refusal,
      );
      await expect(previewOrder(live, body)).rejects.toMatchObject(refusal);
      expect(await getMarket(live, version)).toMatchObject({
        status: "closed",
        untradableReason: why,
        outcomes: [{ bestBid: null }, { bestBid: null }],
      });
      expect((await getBook(live, version, second)).asks).toEqual([]);
      const paths = upstream.asked.map(({ path }) => path);
      expect(paths.filter((path) => path.startsWith("/clob"))).toEqual([]);
    },
  );

  it("are shown on the watchlist even if the catalogue lacks them", async () => {
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
    });
  });

  it("have a preview with the account's shortfall", async () => {
    const { live } = await makeLiveUser();
    const preview = (shareCount: bigint, account = live) =>
      previewOrder(account, {
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
    // The other exchange has a low approval, and buys there do not use this exchange's approval.
    upstream.on("/clob/balance-allowance", () => ({
      json: { ...BALANCE, allowances: allowances("1000000000", "1") },
    }));
    const other = await makeLiveUser();
    expect((await preview(20_000_000n, other.live)).refusal).toBeNull();
    expect(await getBalance(other.live)).toMatchObject({ allowanceBaseUnit: 1n });
    expect((await preview(90_000_000n)).refusal).toMatchObject({ code: "INSUFFICIENT_BALANCE" });
  });

  it("give the ticket the account's cash and shares", async () => {
    const { live } = await makeLiveUser();
    expect(await getTicketAccount(live, ID)).toMatchObject({
      availableUsdc: 25_500_000n,
      approvedUsdc: 7_000_000n,
      holdings: [
        { tokenId: TOKEN, freeShares: 10_000_000n, reservedShares: 0n, avgPrice: 400_000n },
        { freeShares: 0n, avgPrice: null },
      ],
      hasOrdered: false,
      isFrozen: false,
    });
  });
});

describe("the books of a live account", () => {
  it("ignore a reversed fill and report a missing one", async () => {
    const { user } = await makeLiveUser();
    const id = await insertOrder(user.userId, "canceled");
    const about = async () =>
      (await verifyBooks()).problems.filter((problem) => problem.includes(`order ${id} shows`));
    await insertFill(user.userId, id, "failed");
    expect(await about()).toEqual([]);
    await insertFill(user.userId, id, "confirmed");
    expect(await about()).toHaveLength(1);
  });

  it("do not check its positions, which the venue holds", async () => {
    const { user } = await makeLiveUser();
    const id = await insertOrder(user.userId, "canceled");
    await insertFill(user.userId, id, "confirmed");
    const { problems } = await verifyBooks();
    expect(problems.filter((problem) => problem.startsWith("position"))).toEqual([]);
  });
});
