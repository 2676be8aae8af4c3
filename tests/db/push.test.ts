import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { changePassword } from "@/lib/accounts/change-password";
import { resetAccount } from "@/lib/accounts/reset-account";
import { endOtherSessions, endSession } from "@/lib/auth/manage-sessions";
import { listSecurityEvents } from "@/lib/auth/security-events";
import { findSession, type Session } from "@/lib/auth/session";
import { startSession } from "@/lib/auth/start-session";
import { getDb, withTransaction } from "@/lib/db/client";
import {
  endLease,
  leaseSubscription,
  recordFailure,
  recordSent,
} from "@/lib/db/queries/push-subscriptions";
import { accountEvents } from "@/lib/db/schema/account-events";
import { users } from "@/lib/db/schema/accounts";
import { pushSubscriptions } from "@/lib/db/schema/push";
import { NO_CAUSE } from "@/lib/ledger/account-log";
import { post } from "@/lib/ledger/transfers";
import { pushDue } from "@/lib/push/deliver-push";
import {
  changePush,
  listPushBrowsers,
  sendTestPush,
  turnOffPush,
  turnOnPush,
} from "@/lib/push/manage-push";
import type { PushMessage } from "@/lib/push/send-push";
import { getServerKeys } from "@/lib/push/server-keys";
import { complement, shares, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { findPriceInside, freshMarket, place, useTestClock } from "@/tests/support/exchange/orders";
import { type FakeBrowser, makeBrowser, readAuthorization } from "@/tests/support/push/browser";
import { makeUser, type TestUser } from "@/tests/support/users";
import { allowPrivate, useReceiver } from "@/tests/support/webhooks/receiver";

allowPrivate();
useFreshDatabase();
const clock = useTestClock();
const service = useReceiver();

const LONG = 60_000;
const HOUR = 3_600_000;
const SHOWN = { showsAmounts: true };

let user: TestUser;
let session: Session;
let browser: FakeBrowser;
let made = 0;
beforeEach(async () => {
  await (await getDb()).delete(pushSubscriptions);
  service.received.length = 0;
  service.respond = () => ({ status: 201 });
  user = await makeUser();
  session = await start(user);
  browser = makeUniqueBrowser();
});

/** Makes a browser with its own address at the push service of these tests. */
function makeUniqueBrowser(): FakeBrowser {
  made += 1;
  return makeBrowser(`${service.url}/${made}`);
}

async function start({ userId }: TestUser): Promise<Session> {
  const { cookie } = await startSession(userId, { address: "1", userAgent: "Firefox/132.0" });
  const found = await findSession(cookie);
  if (!found) throw new Error("the session is over");
  return found;
}

/** Adds events that are notifications: webhook endpoints that were disabled. */
async function disable(times: number, { userId } = user): Promise<void> {
  await withTransaction(async (tx) => {
    const events = Array.from({ length: times }, (_, index) => ({
      owner: { userId, epoch: 1 },
      type: "webhook.disabled" as const,
      data: { webhookId: `whk_${index}`, url: "https://shop.com/hooks", reason: `Gone ${index}.` },
      cause: NO_CAUSE,
    }));
    await post(tx, { transfers: [], events }, new Date(clock.now));
  });
}

const readRows = async () => (await getDb()).select().from(pushSubscriptions);
/** Makes every subscription due, as if its pause had passed. */
const passPauses = async () =>
  (await getDb()).update(pushSubscriptions).set({ nextAttemptAt: new Date(0), leasedUntil: null });
const readHead = async () => {
  const rows = await (
    await getDb()
  )
    .select({ seq: accountEvents.seq })
    .from(accountEvents)
    .where(eq(accountEvents.userId, user.userId));
  return Math.max(...rows.map(({ seq }) => seq));
};
const readMessages = (by = browser): PushMessage[] =>
  service.received.map(({ bytes }) => by.read(bytes));
const findCode = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (error: unknown) => (error as { code?: string }).code,
  );

describe("a fill", () => {
  it("is sent once, encrypted for the browser and signed by the service", async () => {
    await turnOnPush(session, browser, SHOWN);
    const market = freshMarket({ inside: 2 });
    const order = { market, action: "BUY", outcome: 1, amount: usdc(10_000_000n) } as const;
    const { orderId } = await place(user, order);
    await pushDue(LONG);
    await passPauses();
    await pushDue(LONG);
    expect(service.received).toHaveLength(1);
    const [message] = readMessages();
    expect(message).toMatchObject({
      title: `Bought ${market.outcomes[1].name}`,
      href: `/orders/${orderId}`,
      tag: expect.stringMatching(/^paper-\d+$/),
    });
    expect(message?.body).toMatch(/^.+\n[\d.]+ shares at [\d.]+¢\nPaid \$\d+\.\d\d$/);
    const [sent] = service.received;
    expect(sent?.headers).toMatchObject({
      "content-encoding": "aes128gcm",
      ttl: "86400",
      topic: message?.tag,
    });
    const { isValid, publicKey, claims } = readAuthorization(sent?.headers["authorization"] ?? "");
    expect(isValid).toBe(true);
    expect(publicKey).toBe(getServerKeys().publicKey);
    expect(claims.aud).toBe(new URL(browser.endpoint).origin);
    const life = claims.exp - clock.now / 1_000;
    expect(life).toBeGreaterThan(0);
    expect(life).toBeLessThanOrEqual(24 * 3_600);
    expect((await listPushBrowsers(session))[0]?.lastSentAt).not.toBeNull();
  });

  it("of a part of an order names both sizes, and that the rest was canceled", async () => {
    await turnOnPush(session, browser, SHOWN);
    const market = freshMarket({ inside: 2 });
    const limit = findPriceInside(market)(0);
    const size = shares(5_000_000n);
    const offered = { market, action: "BUY", outcome: 1, limit: complement(limit), size } as const;
    await place(await makeUser(), offered);
    const wanted = { market, action: "BUY", outcome: 0, worst: limit } as const;
    await place(user, { ...wanted, size: shares(20_000_000n) });
    await pushDue(LONG);
    const [message, ...others] = readMessages();
    expect(others).toEqual([]);
    expect(message?.title).toBe(`Bought ${market.outcomes[0].name}, rest canceled`);
    expect(message?.body).toMatch(/\n5 of 20 shares at [\d.]+¢\nPaid \$\d+\.\d\d$/);
  });

  it("is sent without its shares if amounts are hidden", async () => {
    await turnOnPush(session, browser, { showsAmounts: false });
    const market = freshMarket({ inside: 2 });
    await place(user, { market, action: "BUY", outcome: 1, amount: usdc(10_000_000n) });
    await pushDue(LONG);
    expect(readMessages().map(({ body }) => body)).toEqual([market.title]);
  });
});

describe("the selection of events", () => {
  it("begins when it is turned on, and is nothing without a subscription", async () => {
    await disable(2);
    await pushDue(LONG);
    await turnOnPush(session, browser, SHOWN);
    await pushDue(LONG);
    expect(service.received).toEqual([]);
    await disable(1);
    await pushDue(LONG);
    expect(readMessages()).toHaveLength(1);
  });

  it("goes to the account's own browsers only", async () => {
    const other = await makeUser();
    const theirs = makeUniqueBrowser();
    await turnOnPush(session, browser, SHOWN);
    await turnOnPush(await start(other), theirs, SHOWN);
    await disable(1);
    await pushDue(LONG);
    expect(service.received.map(({ path }) => path)).toEqual([new URL(browser.endpoint).pathname]);
  });

  it("is only of the chosen kinds, and the rest is not sent later", async () => {
    await turnOnPush(session, browser, SHOWN);
    const [{ id = "" } = {}] = await listPushBrowsers(session);
    await changePush(session, id, { kinds: ["filled"], showsAmounts: true });
    // What concerns the security of the account can't be left out.
    expect((await readRows())[0]?.kinds).toEqual(["filled", "frozen", "wallet"]);
    await disable(2);
    await pushDue(LONG);
    expect(service.received).toEqual([]);
    expect((await readRows())[0]?.sentSeq).toBe(await readHead());
    await changePush(session, id, { kinds: ["webhook"], showsAmounts: true });
    await pushDue(LONG);
    expect(service.received).toEqual([]);
  });

  it("comes in order, one message each, up to six at once", async () => {
    await turnOnPush(session, browser, SHOWN);
    await disable(6);
    await pushDue(LONG);
    expect(readMessages().map(({ body }) => body)).toEqual(
      Array.from({ length: 6 }, (_, index) => `shop.com: Gone ${index}.`),
    );
  });

  it("is five messages and a summary if it is more, with a pause after them", async () => {
    await turnOnPush(session, browser, SHOWN);
    await disable(17);
    await pushDue(LONG);
    const messages = readMessages();
    expect(messages).toHaveLength(6);
    expect(messages.at(-1)).toMatchObject({
      title: "12 more notifications",
      href: "/notifications",
    });
    await disable(1);
    await pushDue(LONG);
    expect(service.received).toHaveLength(6);
    await passPauses();
    await pushDue(LONG);
    expect(service.received).toHaveLength(7);
  });

  it("is not older than a day", async () => {
    await turnOnPush(session, browser, SHOWN);
    await disable(1);
    clock.set(clock.now + 25 * HOUR);
    await disable(1);
    await passPauses();
    await pushDue(LONG);
    expect(service.received).toHaveLength(1);
    expect((await readRows())[0]?.sentSeq).toBe(await readHead());
  });

  it("is nothing of an epoch that a reset has ended", async () => {
    await turnOnPush(session, browser, SHOWN);
    await disable(1);
    await resetAccount(user.principal, usdc(1_000_000n));
    await pushDue(LONG);
    expect(service.received).toEqual([]);
  });

  it("is nothing for a disabled user", async () => {
    await turnOnPush(session, browser, SHOWN);
    await disable(1);
    const db = await getDb();
    await db.update(users).set({ status: "disabled" }).where(eq(users.id, user.userId));
    await pushDue(LONG);
    expect(service.received).toEqual([]);
  });
});

describe("a push service", () => {
  beforeEach(async () => {
    await turnOnPush(session, browser, SHOWN);
    await disable(2);
  });

  it.each([404, 410])("that responds with %s ends the subscription", async (status) => {
    service.respond = () => ({ status });
    await pushDue(LONG);
    expect(service.received).toHaveLength(1);
    expect(await readRows()).toEqual([]);
  });

  it("that asks to wait is asked again only then", async () => {
    service.respond = () => ({ status: 429, headers: { "retry-after": "3600" } });
    await pushDue(LONG);
    await pushDue(LONG);
    expect(service.received).toHaveLength(1);
    const [row] = await readRows();
    expect(row?.failureCount).toBe(1);
    expect(row?.nextAttemptAt.getTime()).toBeGreaterThanOrEqual(clock.now + 3_599_000);
    service.respond = () => ({ status: 201 });
    await passPauses();
    await pushDue(LONG);
    expect(service.received).toHaveLength(3);
    expect(new Set(readMessages().map(({ tag }) => tag)).size).toBe(2);
    expect((await readRows())[0]).toMatchObject({ failureCount: 0, failingSince: null });
  });

  it.each([400, 413])("that responds with %s gets the next message", async (status) => {
    let isFirst = true;
    service.respond = () => {
      const response = { status: isFirst ? status : 201 };
      isFirst = false;
      return response;
    };
    await pushDue(LONG);
    await passPauses();
    await pushDue(LONG);
    expect(readMessages().map(({ body }) => body)).toEqual([
      "shop.com: Gone 0.",
      "shop.com: Gone 1.",
    ]);
  });

  it("that fails for five days ends the subscription, and not before", async () => {
    service.respond = () => ({ status: 500 });
    const failFor = async (hours: number) => {
      const failingSince = new Date(clock.now - hours * HOUR);
      await passPauses();
      await (await getDb()).update(pushSubscriptions).set({ failingSince });
      await disable(1);
      await pushDue(LONG);
      return (await readRows()).length;
    };
    expect(await failFor(119)).toBe(1);
    expect(await failFor(121)).toBe(0);
  });
});

describe("two processes", () => {
  it("send each event once", async () => {
    await turnOnPush(session, browser, SHOWN);
    for (let round = 0; round < 5; round += 1) {
      await disable(3);
      await passPauses();
      await Promise.all([pushDue(LONG), pushDue(LONG), pushDue(LONG)]);
    }
    const tags = readMessages().map(({ tag }) => tag);
    expect(tags).toHaveLength(15);
    expect(new Set(tags).size).toBe(15);
  });

  it("wait for the lease of one that died, and repeat its message with the same tag", async () => {
    await turnOnPush(session, browser, SHOWN);
    await disable(1);
    const [row] = await readRows();
    await pushDue(LONG);
    // The process dies after the message was sent and before that was recorded.
    const db = await getDb();
    await db.update(pushSubscriptions).set({ sentSeq: row?.sentSeq ?? 0 });
    await passPauses();
    expect(await leaseSubscription(db, row?.id ?? "", 60_000)).not.toBeNull();
    await pushDue(LONG);
    expect(service.received).toHaveLength(1);
    await passPauses();
    await pushDue(LONG);
    const [first, second] = readMessages();
    expect(service.received).toHaveLength(2);
    expect(second?.tag).toBe(first?.tag);
  });
});

it("a process that lost its lease records nothing", async () => {
  await turnOnPush(session, browser, SHOWN);
  const db = await getDb();
  const [row] = await readRows();
  const lost = await leaseSubscription(db, row?.id ?? "", 20_000);
  clock.advance(20_001);
  const held = await leaseSubscription(db, row?.id ?? "", 20_000);
  if (!lost || !held) throw new Error("each process gets the lease in turn");
  const sent = { sentSeq: 1_000, isDelivered: true, leaseMs: 20_000 };
  expect(await recordSent(db, lost, sent)).toBeNull();
  await recordFailure(db, lost, 1_000);
  await endLease(db, lost, { sentSeq: 1_000, delayMs: 0 });
  expect(await readRows()).toEqual([held]);
  expect(await recordSent(db, held, sent)).toMatchObject({ sentSeq: 1_000 });
});

describe("turning it on", () => {
  it("again in the same browser replaces, with the choices of the start", async () => {
    await turnOnPush(session, browser, SHOWN);
    await turnOnPush(session, browser, { showsAmounts: false });
    expect(await readRows()).toMatchObject([{ endpoint: browser.endpoint, showsAmounts: false }]);
    await turnOnPush(session, makeUniqueBrowser(), SHOWN);
    expect(await readRows()).toHaveLength(1);
  });

  it("takes a browser over that another user left on", async () => {
    await turnOnPush(session, browser, SHOWN);
    const other = await makeUser();
    const theirs = await start(other);
    await turnOnPush(theirs, browser, SHOWN);
    expect(await listPushBrowsers(session)).toEqual([]);
    expect(await listPushBrowsers(theirs)).toMatchObject([{ isCurrent: true }]);
    await disable(1);
    await pushDue(LONG);
    expect(service.received).toEqual([]);
  });

  it("is possible for both accounts of a user, which get their own events", async () => {
    const live = { ...session, principal: { ...session.principal, mode: "live" } } as Session;
    await turnOnPush(session, browser, SHOWN);
    await turnOnPush(live, browser, SHOWN);
    expect(await readRows()).toHaveLength(2);
    expect(await listPushBrowsers(live)).toHaveLength(1);
    await disable(1);
    await pushDue(LONG);
    expect(readMessages().map(({ tag }) => tag.split("-")[0])).toEqual(["paper"]);
  });

  it("is refused for an eleventh browser", async () => {
    for (let count = 0; count < 10; count += 1) {
      await turnOnPush(await start(user), makeUniqueBrowser(), SHOWN);
    }
    expect(await findCode(turnOnPush(session, browser, SHOWN))).toBe("VALIDATION_ERROR");
    expect(await readRows()).toHaveLength(10);
  });

  it.each([
    ["an address with a password", { endpoint: "https://a:b@push.shop.com/x" }],
    ["an address of another kind", { endpoint: "ftp://push.shop.com/x" }],
    ["a long address", { endpoint: `https://push.shop.com/${"x".repeat(2_000)}` }],
    ["no address", { endpoint: "" }],
    ["a key that is no point", { publicKey: `B${"A".repeat(86)}` }],
    ["a short key", { publicKey: "BAAA" }],
    ["a short secret", { auth: "AAAA" }],
  ])("is refused for %s", async (_, wrong) => {
    const given = { ...browser, ...wrong };
    expect(await findCode(turnOnPush(session, given, SHOWN))).toBe("VALIDATION_ERROR");
    expect(await readRows()).toEqual([]);
  });

  it("is refused in a session that has ended", async () => {
    await endSession(user.userId, session.id);
    expect(await findCode(turnOnPush(session, browser, SHOWN))).toBe("SESSION_ENDED");
    expect(await readRows()).toEqual([]);
  });

  it("and off is in the security log", async () => {
    await turnOnPush(session, browser, SHOWN);
    const [{ id = "" } = {}] = await listPushBrowsers(session);
    await turnOffPush(session, id);
    await turnOffPush(session, id);
    const { lines } = await listSecurityEvents(user.userId, { limit: 2 });
    expect(lines.map(({ kind }) => kind)).toEqual(["push_turned_off", "push_turned_on"]);
  });
});

describe("a subscription ends", () => {
  let other: Session;
  beforeEach(async () => {
    other = await start(user);
    await turnOnPush(session, browser, SHOWN);
    await turnOnPush(other, makeUniqueBrowser(), SHOWN);
    await disable(1);
  });
  const listSessions = async () => (await readRows()).map(({ sessionId }) => sessionId);

  it("when its browser signs out", async () => {
    await endSession(user.userId, session.id);
    expect(await listSessions()).toEqual([other.id]);
    await pushDue(LONG);
    expect(service.received).toHaveLength(1);
  });

  it("when its browser is signed out from another one", async () => {
    await endSession(user.userId, other.id, session.id);
    expect(await listSessions()).toEqual([session.id]);
    await endOtherSessions(other);
    expect(await listSessions()).toEqual([]);
  });

  it("when the password is changed in another browser", async () => {
    const change = {
      current: "correct horse battery staple",
      password: "a sentence nobody guesses",
    };
    await changePassword(session, change, "1");
    expect(await listSessions()).toEqual([session.id]);
  });

  it("when its owner removes it, and not when another user tries", async () => {
    const stranger = await start(await makeUser());
    const [{ id = "" } = {}] = await listPushBrowsers(session);
    await turnOffPush(stranger, id);
    expect(await changePush(stranger, id, { kinds: [], showsAmounts: true })).toBe(false);
    expect(await sendTestPush(stranger, id)).toBe("gone");
    expect(await readRows()).toHaveLength(2);
    expect(service.received).toEqual([]);
    await turnOffPush(session, id);
    expect(await listSessions()).toEqual([other.id]);
  });
});

describe("a test message", () => {
  it("arrives at once and changes nothing", async () => {
    await turnOnPush(session, browser, SHOWN);
    const [before] = await readRows();
    expect(await sendTestPush(session, before?.id ?? "")).toBe("sent");
    expect(readMessages()).toMatchObject([{ title: "Test notification", tag: "test" }]);
    expect(await readRows()).toEqual([before]);
  });

  it("removes a browser that is gone", async () => {
    await turnOnPush(session, browser, SHOWN);
    service.respond = () => ({ status: 410 });
    expect(await sendTestPush(session, (await readRows())[0]?.id ?? "")).toBe("gone");
    expect(await readRows()).toEqual([]);
  });
});
