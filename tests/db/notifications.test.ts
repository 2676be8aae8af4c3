import { beforeAll, describe, expect, it } from "vitest";
import { resetAccount } from "@/lib/accounts/reset-account";
import { getTradingSettings, saveTradingSettings } from "@/lib/accounts/trading-settings";
import { getDb, withTransaction } from "@/lib/db/client";
import { countUnread } from "@/lib/db/queries/notifications";
import { ALL_KINDS } from "@/lib/domain/notifications";
import { readNewestEvents } from "@/lib/events/read-events";
import { paperVenue } from "@/lib/exchange";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { NO_CAUSE } from "@/lib/ledger/account-log";
import { post } from "@/lib/ledger/transfers";
import { freeze, thaw } from "@/lib/limits/freeze";
import { issueKey } from "@/lib/limits/issue-key";
import { announceResolutions } from "@/lib/markets/announce-resolutions";
import { describeEvents } from "@/lib/notifications/describe-events";
import type { NotificationKind } from "@/lib/domain/notifications";
import { listNotifications } from "@/lib/notifications/list-notifications";
import { getShownKinds, saveShownKinds } from "@/lib/notifications/shown-kinds";
import { getUnread, markRead } from "@/lib/notifications/unread";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { placeOrder } from "@/lib/orders/place-order";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import {
  add,
  averagePrice,
  complement,
  type Price,
  price,
  type Shares,
  shares,
  subtract,
  sum,
  usdc,
} from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { orderRow } from "@/tests/support/exchange/ledger";
import {
  createBody,
  findPriceInside,
  freshMarket,
  getToken,
  MINUTE,
  mintPair,
  place,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();

const DAY = 24 * 60 * MINUTE;
const SIZE = shares(20_000_000n);

const list = async ({ principal }: TestUser) =>
  (await listNotifications(principal, 50)).notifications;
const unread = async ({ principal }: TestUser) => (await getUnread(principal)).unread;

/** Places an order without a key, as the dashboard does. Returns its status; null if it was rejected. */
async function placeByHand({ principal }: TestUser, order: Parameters<typeof createBody>[0]) {
  const { answer } = await placeOrder({ ...principal, keyId: null }, createBody(order));
  const { data } = JSON.parse(answer.body) as { data?: { status: string } };
  return data?.status ?? null;
}
/** The events that are pushed. */
const readNews = async ({ principal }: TestUser) =>
  readNewestEvents(await getDb(), principal, { notified: ALL_KINDS, isNews: true, limit: 100 });

describe("an order", () => {
  let user: TestUser;
  let other: TestUser;
  beforeAll(async () => {
    [user, other] = [await makeUser(), await makeUser()];
  });

  it("that fills is a notification with a link and its shares, for its owner only", async () => {
    const market = freshMarket({ inside: 2 });
    const order = { market, action: "BUY", outcome: 1, amount: usdc(10_000_000n) } as const;
    const { orderId, status } = await place(user, order);
    expect(status).toBe("filled");
    const [filled, ...rest] = await list(user);
    expect(rest).toEqual([]);
    expect(filled).toMatchObject({
      title: `Bought ${market.outcomes[1].name}`,
      text: market.title,
      href: `/orders/${orderId}`,
      isUnread: true,
    });
    const { filledShares, filledNotional, fee } = await orderRow(orderId);
    expect(filled).toMatchObject({
      shares: filledShares,
      price: averagePrice(filledNotional, filledShares),
      total: { usdc: add(filledNotional, fee), isPaid: true },
      reason: null,
    });
    expect([await unread(user), await unread(other)]).toEqual([1, 0]);
    expect(await list(other)).toEqual([]);
  });

  it("that is sold names what was received, less the fee", async () => {
    const market = freshMarket({ inside: 2 });
    await place(user, { market, action: "BUY", outcome: 0, amount: usdc(10_000_000n) });
    const size = shares(5_000_000n);
    const { orderId } = await place(user, { market, action: "SELL", outcome: 0, size });
    const { filledNotional, fee } = await orderRow(orderId);
    expect((await list(user))[0]).toMatchObject({
      title: `Sold ${market.outcomes[0].name}`,
      shares: size,
      total: { usdc: subtract(filledNotional, fee), isPaid: false },
    });
  });

  it("that is rejected names its size, its limit and the reason", async () => {
    const market = freshMarket({ inside: 2 });
    const [limit, size] = [findPriceInside(market)(0), shares(90_000_000_000n)];
    const placed = await place(user, { market, action: "BUY", outcome: 0, limit, size });
    expect(placed.code).toBe("INSUFFICIENT_BALANCE");
    expect((await list(user))[0]).toMatchObject({
      title: `Order rejected: buy ${market.outcomes[0].name}`,
      shares: size,
      price: limit,
      total: null,
      reason: placed.message,
    });
  });

  it("that only rests or is canceled is none", async () => {
    const market = freshMarket({ inside: 2 });
    const limit = findPriceInside(market)(0);
    const before = await unread(user);
    const resting = { market, action: "BUY", outcome: 0, limit, size: SIZE } as const;
    const { orderId } = await place(user, resting);
    await cancelOrder(user.principal, orderId);
    expect(await unread(user)).toBe(before);
  });

  /** Offers a size at a limit of the first outcome, from another account. */
  const offer = async (market: PaperMarket, limit: Price, size: Shares) => {
    const bid = { market, action: "BUY", outcome: 1, limit: complement(limit), size } as const;
    return (await place(other, bid)).status;
  };
  const FIVE = shares(5_000_000n);

  it("that ends after it filled in part names both sizes and what was paid, and that the rest was canceled", async () => {
    const market = freshMarket({ inside: 2 });
    const limit = findPriceInside(market)(0);
    await offer(market, limit, FIVE);
    const before = [await unread(user), (await readNews(user)).length];
    const wanted = { market, action: "BUY", outcome: 0, worst: limit } as const;
    const { orderId, status } = await place(user, { ...wanted, size: SIZE });
    expect(status).toBe("canceled");
    const { filledNotional, fee } = await orderRow(orderId);
    const [canceled] = await list(user);
    expect(canceled).toMatchObject({
      kind: "filled",
      title: `Bought ${market.outcomes[0].name}, rest canceled`,
      href: `/orders/${orderId}`,
      shares: FIVE,
      ordered: { shares: SIZE, usdc: null },
      price: limit,
      total: { usdc: add(filledNotional, fee), isPaid: true },
      isUnread: true,
    });
    expect([await unread(user), (await readNews(user)).length]).toEqual(
      before.map((count) => count + 1),
    );
  });

  it("in dollars that filled in part names the dollars that were ordered", async () => {
    const market = freshMarket({ inside: 2 });
    const limit = findPriceInside(market)(0);
    await offer(market, limit, FIVE);
    const amount = usdc(100_000_000n);
    await place(user, { market, action: "BUY", outcome: 0, worst: limit, amount });
    expect((await list(user))[0]).toMatchObject({
      title: `Bought ${market.outcomes[0].name}, rest canceled`,
      shares: FIVE,
      ordered: { shares: null, usdc: amount },
    });
  });

  it("that filled in part and is canceled by its owner is listed, but only its fill is unread", async () => {
    const market = freshMarket({ inside: 2 });
    const limit = findPriceInside(market)(0);
    const bid = { market, action: "BUY", outcome: 0, limit, size: SIZE } as const;
    const { orderId } = await place(user, bid);
    const before = await unread(user);
    await offer(market, limit, FIVE);
    clock.advance(1_000);
    await cancelOrder(user.principal, orderId);
    const bought = `Bought ${market.outcomes[0].name}`;
    expect((await list(user)).slice(0, 2)).toMatchObject([
      { title: `${bought}, rest canceled`, isUnread: false, shares: FIVE },
      { title: `${bought} so far`, isUnread: true, shares: FIVE },
    ]);
    expect(await unread(user)).toBe(before + 1);
  });

  it("that fills in the moment in which its owner cancels it is unread", async () => {
    const market = freshMarket({ inside: 2 });
    const limit = findPriceInside(market)(0);
    const bid = { market, action: "BUY", outcome: 0, limit, size: SIZE } as const;
    const { orderId } = await place(user, bid);
    await offer(market, limit, FIVE);
    await cancelOrder(user.principal, orderId);
    expect((await list(user))[0]).toMatchObject({
      title: `Bought ${market.outcomes[0].name}, rest canceled`,
      isUnread: true,
    });
  });

  it("that fills in part says so, and its rest is a second notification", async () => {
    const market = freshMarket({ inside: 2 });
    const limit = findPriceInside(market)(0);
    await place(user, { market, action: "BUY", outcome: 0, limit, size: SIZE });
    const against = {
      market,
      action: "BUY",
      outcome: 1,
      limit: price(1_000_000n - limit),
    } as const;
    for (const size of [shares(5_000_000n), shares(15_000_000n)]) {
      expect((await place(other, { ...against, size })).status).toBe("filled");
    }
    const [rest, part] = await list(user);
    const bought = `Bought ${market.outcomes[0].name}`;
    expect(part).toMatchObject({
      title: `${bought} so far`,
      shares: FIVE,
      ordered: { shares: SIZE, usdc: null },
    });
    expect(rest).toMatchObject({ title: bought, shares: SIZE, ordered: null });
  });
});

describe("equal fills that follow one another", () => {
  const buy = { action: "BUY", outcome: 0, amount: usdc(10_000_000n) } as const;

  it("are one notification with their sums, which leads to the market's closed orders", async () => {
    const [user, market] = [await makeUser(), freshMarket({ inside: 2 })];
    const rows = [];
    for (let count = 0; count < 3; count += 1) {
      const { orderId } = await place(user, { ...buy, market });
      rows.push(await orderRow(orderId));
    }
    const bought = `Bought ${market.outcomes[0].name}`;
    expect(await list(user)).toMatchObject([
      {
        title: `${bought} in 3 orders`,
        shares: sum(rows.map(({ filledShares }) => filledShares)),
        total: { usdc: sum(rows.map(({ filledNotional, fee }) => add(filledNotional, fee))) },
        price: null,
        href: `/orders?tab=history&market=${market.id}`,
        isUnread: true,
      },
    ]);
    // The badge counts events, so it doesn't change when the list joins them.
    expect(await unread(user)).toBe(3);
  });

  it("stay apart from another side, another market and from fills of an earlier hour", async () => {
    const [user, market] = [await makeUser(), freshMarket({ inside: 2 })];
    await place(user, { ...buy, market });
    clock.advance(61 * MINUTE);
    await place(user, { ...buy, market });
    await place(user, { market, action: "SELL", outcome: 0, size: shares(5_000_000n) });
    await place(user, { ...buy, market });
    await place(user, { ...buy, market: freshMarket({ inside: 2 }) });
    expect((await list(user)).filter(({ title }) => title.endsWith("orders"))).toEqual([]);
    expect(await list(user)).toHaveLength(5);
  });
});

describe("an order that is placed by hand", () => {
  it("and fills or is rejected at once is listed, but neither unread nor pushed", async () => {
    const user = await makeUser();
    const market = freshMarket({ inside: 2 });
    const order = { market, action: "BUY", outcome: 0 } as const;
    await placeByHand(user, { ...order, amount: usdc(10_000_000n) });
    const size = shares(90_000_000_000n);
    await placeByHand(user, { ...order, limit: findPriceInside(market)(0), size });
    expect((await list(user)).map(({ isUnread }) => isUnread)).toEqual([false, false]);
    expect([await unread(user), (await readNews(user)).length]).toEqual([0, 0]);
    await place(user, { ...order, amount: usdc(10_000_000n) });
    expect((await list(user)).map(({ isUnread }) => isUnread)).toEqual([true, false, false]);
    expect([await unread(user), (await readNews(user)).length]).toEqual([1, 1]);
  });

  it("and fills after it has rested is unread", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const market = freshMarket({ inside: 2 });
    const limit = findPriceInside(market)(0);
    const bid = { market, action: "BUY", outcome: 0, limit, size: SIZE } as const;
    expect(await placeByHand(user, bid)).toBe("open");
    clock.advance(1_000);
    const against = { ...bid, outcome: 1, limit: complement(limit) } as const;
    expect((await place(other, against)).status).toBe("filled");
    expect([await unread(user), (await readNews(user)).length]).toEqual([1, 1]);
  });
});

describe("the end of a market", () => {
  it("says what was paid once the win is claimed, and leads to the market", async () => {
    const market = freshMarket({ inside: 2, closesAfter: MINUTE, closesWithin: 7 * DAY });
    const [first, second] = [await makeUser(), await makeUser()];
    await mintPair(market, { first, second }, SIZE);
    clock.set(market.resolvesAt);
    await announceResolutions();
    const { winner } = paperVenue.getState(market);
    const won = winner === 0 ? first : second;
    const title = `Resolved: ${market.outcomes[winner ?? 0].name}.`;
    const tokenId = getToken(market, winner ?? 0);
    expect((await list(won))[0]).toMatchObject({
      kind: "resolved",
      title: `${title} Claim your payout`,
      href: "/",
      claim: { positionId: tokenId, outcome: market.outcomes[winner ?? 0].name },
    });
    await redeemPosition(won.principal, tokenId);
    expect((await list(won))[0]).toMatchObject({
      claim: null,
      title: `${title} You were paid`,
      href: `/markets/${market.slug}`,
      usdc: 20_000_000n,
    });
    // A push message keeps the words of the event.
    const news = await readNewestEvents(await getDb(), won.principal, {
      types: ["market.resolved"],
      limit: 1,
    });
    expect(await describeEvents(await getDb(), won.principal, news, null)).toMatchObject([
      { title: `${title} Claim your payout`, href: "/" },
    ]);
  });

  it("says what was won with the amount, and what was lost, once each", async () => {
    const market = freshMarket({ inside: 2, closesAfter: MINUTE, closesWithin: 7 * DAY });
    const [first, second] = [await makeUser(), await makeUser()];
    await mintPair(market, { first, second }, SIZE);
    for (const { principal } of [first, second]) await markRead(principal, Number.MAX_SAFE_INTEGER);
    clock.set(market.resolvesAt);
    await announceResolutions();
    const { winner } = paperVenue.getState(market);
    if (winner === null) throw new Error("a simulated market has a winner");
    const { name } = market.outcomes[winner];
    const [won, lost] = winner === 0 ? [first, second] : [second, first];
    expect([await unread(won), await unread(lost)]).toEqual([1, 1]);
    expect((await list(won))[0]).toMatchObject({
      title: `Resolved: ${name}. Claim your payout`,
      text: market.title,
      href: "/",
      usdc: 20_000_000n,
    });
    expect((await list(lost))[0]).toMatchObject({
      title: `Resolved: ${name}. Your shares pay $0.00`,
      href: `/markets/${market.slug}`,
      usdc: null,
      claim: null,
    });
  });

  it("is the only notification in a list of results, which leaves out fills", async () => {
    const market = freshMarket({ inside: 2, closesAfter: MINUTE, closesWithin: 7 * DAY });
    const [first, second] = [await makeUser(), await makeUser()];
    await mintPair(market, { first, second }, SIZE);
    clock.set(market.resolvesAt);
    await announceResolutions();
    const kinds = async (shown: readonly NotificationKind[]) =>
      (await listNotifications(first.principal, 50, shown)).notifications.map(({ kind }) => kind);
    expect(await kinds(["resolved"])).toEqual(["resolved"]);
    expect(await kinds(["resolved", "filled"])).toEqual(["resolved", "filled"]);
  });
});

describe("a kind that is switched off", () => {
  it("is neither listed nor counted until it is switched on again, for its user only", async () => {
    const market = freshMarket({ inside: 2, closesAfter: MINUTE, closesWithin: 7 * DAY });
    const [first, second] = [await makeUser(), await makeUser()];
    await mintPair(market, { first, second }, SIZE);
    clock.set(market.resolvesAt);
    await announceResolutions();
    const read = async (user: TestUser) => ({
      kinds: (await list(user)).map(({ kind }) => kind),
      unread: await unread(user),
    });
    const all = await read(first);
    expect(all.kinds).toEqual(["resolved", "filled"]);
    await saveShownKinds(
      first.userId,
      ALL_KINDS.filter((kind) => kind !== "resolved"),
    );
    expect(await read(first)).toEqual({ kinds: ["filled"], unread: all.unread - 1 });
    expect((await read(second)).kinds).toEqual(["resolved", "filled"]);
    expect((await listNotifications(first.principal, 50, ["resolved"])).notifications).toEqual([]);
    await saveShownKinds(first.userId, ALL_KINDS);
    expect(await read(first)).toEqual(all);
  });

  it("is none about the security of the account", async () => {
    const { userId } = await makeUser();
    await saveShownKinds(userId, []);
    expect(await getShownKinds(userId)).toEqual(["frozen", "wallet"]);
  });

  it("leaves the user's trading settings as they are", async () => {
    const { userId } = await makeUser();
    await saveTradingSettings(userId, { defaultOrderType: "limit" });
    await saveShownKinds(userId, []);
    expect((await getTradingSettings(userId)).defaultOrderType).toBe("limit");
  });
});

describe("a freeze", () => {
  const REASON = "It places too much.";

  it("of a key and its thaw are notifications that name the key and lead to it", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const { principal, userId } = user;
    const { keyId, name } = await issueKey(principal, {
      name: "bot",
      scopes: ["read", "trade"],
      lifetime: "90",
      limits: {},
    });
    const subject = { scope: "key", keyId } as const;
    await freeze({ userId, subject, reason: REASON });
    await thaw({ userId, subject });
    expect(await list(user)).toMatchObject([
      { title: `API key “${name}” was thawed`, reason: null, href: `/keys/${keyId}` },
      { title: `API key “${name}” was frozen`, reason: REASON, href: `/keys/${keyId}` },
    ]);
    expect((await readNews(user)).map(({ type }) => type)).toEqual([
      "trading.thawed",
      "trading.frozen",
    ]);
    expect([await unread(user), await unread(other)]).toEqual([2, 0]);
    expect(await list(other)).toEqual([]);
  });

  it.each([
    [{ scope: "account", mode: "paper" }, "This account was frozen"],
    [{ scope: "user" }, "Everything was frozen"],
  ] as const)("of %o leads to the settings", async (subject, title) => {
    const user = await makeUser();
    await freeze({ userId: user.userId, subject, reason: REASON });
    const href = "/settings?section=limits";
    expect(await list(user)).toMatchObject([{ title, reason: REASON, href, isUnread: true }]);
  });
});

describe("the read mark", () => {
  let user: TestUser;
  const disable = (times: number) =>
    withTransaction(async (tx) => {
      const data = { webhookId: "whk_1", url: "https://example.com/hooks?key=1", reason: "Gone." };
      const event = {
        owner: { userId: user.userId, epoch: 1 },
        type: "webhook.disabled",
        data,
        cause: NO_CAUSE,
      } as const;
      await post(
        tx,
        { transfers: [], events: Array.from({ length: times }, () => event) },
        new Date(),
      );
    });
  beforeAll(async () => {
    user = await makeUser();
  });

  it("ends the count, never moves back, and leaves later events unread", async () => {
    await disable(3);
    const [newest, , oldest] = await list(user);
    expect(newest).toMatchObject({
      title: "Webhook disabled",
      text: "example.com: Gone.",
      href: "/developers/webhooks/whk_1",
    });
    await markRead(user.principal, oldest?.seq ?? 0);
    expect(await unread(user)).toBe(2);
    await markRead(user.principal, newest?.seq ?? 0);
    await markRead(user.principal, oldest?.seq ?? 0);
    expect(await unread(user)).toBe(0);
    expect((await list(user)).some(({ isUnread }) => isUnread)).toBe(false);
    // A mark beyond the log would hide what comes next.
    await markRead(user.principal, Number.MAX_SAFE_INTEGER);
    await disable(1);
    expect(await unread(user)).toBe(1);
  });

  it("counts at most a hundred", async () => {
    await disable(120);
    expect(await unread(user)).toBe(100);
    expect(await list(user)).toHaveLength(50);
  });

  it("counts per account, and a reset leaves nothing listed or unread", async () => {
    const live = { userId: user.userId, mode: "live" } as const;
    expect(await countUnread(await getDb(), live, ALL_KINDS)).toBe(0);
    await resetAccount(user.principal, usdc(1_000_000n));
    expect(await unread(user)).toBe(0);
    expect(await list(user)).toEqual([]);
  });
});
