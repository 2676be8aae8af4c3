import { asc, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { findActiveKey } from "@/lib/auth/list-keys";
import { listSecurityEvents } from "@/lib/auth/security-events";
import { rotateKey } from "@/lib/auth/manage-keys";
import { getDb } from "@/lib/db/client";
import { apiKeys } from "@/lib/db/schema/accounts";
import { auditEvents } from "@/lib/db/schema/audit";
import { writeLimitTexts } from "@/lib/domain/limit-texts";
import type { Limits } from "@/lib/domain/limits";
import { getLimits, setOwnLimits } from "@/lib/limits/change-limits";
import { freeze, thaw } from "@/lib/limits/freeze";
import { issueKey } from "@/lib/limits/issue-key";
import { listFreezes } from "@/lib/limits/list-freezes";
import { listLimitedSubjects } from "@/lib/limits/list-subjects";
import { parseLimitsForm } from "@/lib/limits/parse-limits-form";
import { listKeyOrders } from "@/lib/orders/list-key-orders";
import { price, shares, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { findPriceInside, freshMarket, place, useTestClock } from "@/tests/support/exchange/orders";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();

const dollars = (amount: number) => usdc(BigInt(amount) * 1_000_000n);
const SESSION = "ses_of_the_owner";
const EMPTY = writeLimitTexts({});

const ofKey = ({ principal }: TestUser) => ({ scope: "key", keyId: principal.keyId }) as const;

describe("the form of limits", () => {
  it("reads what it writes", () => {
    const limits: Limits = {
      perOrder: usdc(10_500_000n),
      perDay: dollars(1_234),
      maxOpenOrders: 0,
      ordersPerMinute: 12,
      maxDistanceFromMid: price(25_000n),
      markets: ["category:Politics", "event:a-race"],
      actions: ["BUY", "CANCEL"],
      ipAllow: ["203.0.113.0/24", "::1"],
    };
    expect(parseLimitsForm(writeLimitTexts(limits))).toEqual(limits);
    expect(parseLimitsForm(EMPTY)).toEqual({});
  });

  it("takes currency signs, grouped thousands, empty lines and repeated entries", () => {
    const texts = { ...EMPTY, perDay: "$1,000", ipAllow: "10.0.0.1\r\n\r\n 10.0.0.1 \n" };
    expect(parseLimitsForm(texts)).toEqual({ perDay: dollars(1_000), ipAllow: ["10.0.0.1"] });
  });

  it.each([
    ["perOrder", "ten", "Enter dollars"],
    ["perDay", "-5", "Enter dollars"],
    ["total", "10000001", "Enter at most $10,000,000."],
    ["maxOpenOrders", "1.5", "Enter a whole number"],
    ["ordersPerMinute", "1000001", "Enter at most 1,000,000."],
    ["maxDistanceFromMid", "101", "Enter cents"],
    ["maxDistanceFromMid", "0.00001", "Enter cents"],
    ["markets", "category:Sports\npolitics", "“politics” needs category:"],
    ["ipAllow", "10.0.0.1\nlocalhost", "“localhost” is no IP address"],
    ["ipAllow", Array.from({ length: 101 }, (_, index) => `10.0.0.${index}`).join("\n"), "100"],
  ] as const)("refuses the text of %s %j", (field, text, message) => {
    const parse = () => parseLimitsForm({ ...EMPTY, [field]: text });
    expect(parse).toThrow(message);
    expect(parse).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR", field }));
  });
});

describe("limits that contradict each other", () => {
  it.each([
    ["perOrder", { perOrder: "60", perDay: "50" }, "limit per day"],
    ["perOrder", { perOrder: "60", total: "50" }, "limit in total"],
    ["perDay", { perDay: "60", total: "50" }, "limit in total"],
  ] as const)("are refused at the field %s for %j", (field, texts, message) => {
    const parse = () => parseLimitsForm({ ...EMPTY, ...texts });
    expect(parse).toThrow(message);
    expect(parse).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR", field }));
  });

  it("are none if they are equal", () => {
    const limits = { perOrder: dollars(50), perDay: dollars(50), total: dollars(50) };
    expect(parseLimitsForm({ ...EMPTY, perOrder: "50", perDay: "50", total: "50" })).toEqual(
      limits,
    );
  });
});

describe("a key from the form", () => {
  const request = { name: "bot", lifetime: "30", limits: { perDay: dollars(50) } };

  it("has its limits from the start", async () => {
    const { principal } = await makeUser();
    const { userId } = principal;
    const { keyId } = await issueKey(principal, { ...request, scopes: ["read", "trade"] });
    const limits = await getLimits(await getDb(), userId, { scope: "key", keyId });
    expect(limits).toEqual({ perDay: dollars(50) });
    expect(await findActiveKey(userId, keyId)).toMatchObject({ isLimited: true, isFrozen: false });
  });

  it("has no limits on orders if it can't trade", async () => {
    const { principal } = await makeUser();
    const limits = { ...request.limits, ipAllow: ["10.0.0.1"] };
    const { keyId } = await issueKey(principal, { ...request, scopes: ["read"], limits });
    const set = await getLimits(await getDb(), principal.userId, { scope: "key", keyId });
    expect(set).toEqual({ ipAllow: ["10.0.0.1"] });
  });
});

describe("an owner's change of limits", () => {
  it("lowers without a confirmation, and raises or removes only with one", async () => {
    const user = await makeUser();
    const { userId } = user;
    const change = (limits: Limits, isConfirmed: boolean) =>
      setOwnLimits({ userId, subject: ofKey(user), limits, isConfirmed, sessionId: SESSION });
    const read = async () => getLimits(await getDb(), userId, ofKey(user));
    await change({ perDay: dollars(50) }, false);
    await change({ perDay: dollars(20), maxOpenOrders: 5 }, false);
    for (const raised of [{ perDay: dollars(21), maxOpenOrders: 5 }, { perDay: dollars(20) }, {}]) {
      await expect(change(raised, false)).rejects.toThrow(
        expect.objectContaining({ code: "VALIDATION_ERROR", field: "current" }),
      );
      expect(await read()).toEqual({ perDay: dollars(20), maxOpenOrders: 5 });
    }
    await change({ perDay: dollars(30) }, true);
    expect(await read()).toEqual({ perDay: dollars(30) });
    const [line] = (await listSecurityEvents(userId, { limit: 1 })).lines;
    expect(line).toMatchObject({
      kind: "limits_changed",
      detail: {
        name: "test",
        limits: { former: { perDay: "20", maxOpenOrders: 5 }, now: { perDay: "30" } },
      },
    });
  });

  it("of another user's key changes nothing", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const subject = ofKey(other);
    const limits = { perDay: dollars(1) };
    const { userId } = user;
    await expect(setOwnLimits({ userId, subject, limits, isConfirmed: true })).rejects.toThrow(
      "doesn't exist or was revoked",
    );
    expect(await getLimits(await getDb(), other.userId, subject)).toEqual({});
    await expect(freeze({ userId, subject, reason: "No." })).rejects.toThrow("doesn't exist");
    expect(await listFreezes(other.principal)).toEqual([]);
  });
});

describe("the freezes of an account", () => {
  it("don't have a key that can't trade", async () => {
    const user = await makeUser(undefined, ["read"]);
    await freeze({ userId: user.userId, subject: ofKey(user), reason: "Idle." });
    expect(await listFreezes(user.principal)).toEqual([]);
  });

  it("are those of the user, the account and its working keys, by the names of all that share a budget", async () => {
    const user = await makeUser();
    const { userId, principal } = user;
    expect(await listFreezes(principal)).toEqual([]);
    await freeze({ userId, subject: ofKey(user), reason: "One.", sessionId: SESSION });
    await freeze({ userId, subject: { scope: "account", mode: "paper" }, reason: "Two." });
    await freeze({ userId, subject: { scope: "account", mode: "live" }, reason: "Other." });
    clock.advance(1);
    const fresh = await rotateKey(userId, principal.keyId, { overlapMs: 60_000 });
    expect(await listFreezes(principal)).toMatchObject([
      { scope: "account", reason: "Two.", keys: [], isOperators: false },
      {
        scope: "key",
        reason: "One.",
        keys: [
          { id: fresh.keyId, label: "test" },
          { id: principal.keyId, label: "test (old)" },
        ],
        isOperators: false,
      },
    ]);
    const db = await getDb();
    await db
      .update(apiKeys)
      .set({ revokedAt: new Date(0) })
      .where(eq(apiKeys.userId, userId));
    expect((await listFreezes(principal)).map(({ scope }) => scope)).toEqual(["account"]);
  });

  it("by the operator are not thawed by the owner, and by the owner they are", async () => {
    const { userId, principal } = await makeUser();
    const subject = { scope: "user" } as const;
    await freeze({ userId, subject, reason: "The operator froze it." });
    expect(await listFreezes(principal)).toMatchObject([{ scope: "user", isOperators: true }]);
    const thawOwn = () => thaw({ userId, subject, sessionId: SESSION });
    await expect(thawOwn()).rejects.toThrow("only the operator thaws it");
    expect(await listFreezes(principal)).toHaveLength(1);
    await thaw({ userId, subject });
    await freeze({ userId, subject, reason: "Enough.", sessionId: SESSION });
    expect(await listFreezes(principal)).toMatchObject([{ scope: "user", isOperators: false }]);
    await thawOwn();
    expect(await listFreezes(principal)).toEqual([]);
    const kinds = await (
      await getDb()
    )
      .select({ kind: auditEvents.kind, sessionId: auditEvents.sessionId })
      .from(auditEvents)
      .where(eq(auditEvents.userId, userId))
      .orderBy(asc(auditEvents.id));
    expect(kinds.slice(-2)).toEqual([
      { kind: "trading_frozen", sessionId: SESSION },
      { kind: "trading_thawed", sessionId: SESSION },
    ]);
  });
});

describe("a key's home", () => {
  it("has the key's own orders and what they use of its limits", async () => {
    const user = await makeUser();
    const { userId, principal } = user;
    const { keyId } = principal;
    const limits = { openExposure: dollars(50) };
    await setOwnLimits({ userId, subject: ofKey(user), limits, isConfirmed: false });
    const market = freshMarket();
    const limit = findPriceInside(market)(0);
    const order = { market, action: "BUY", outcome: 0, limit, size: shares(10_000_000n) } as const;
    const { orderId } = await place(user, order);
    await place(
      { ...user, principal: { ...principal, keyId: null } } as unknown as TestUser,
      order,
    );
    const account = { userId, mode: "paper" } as const;
    expect((await listKeyOrders(account, keyId, 10)).map((line) => line.id)).toEqual([orderId]);
    const [own] = await listLimitedSubjects({ ...account, keyId });
    expect(own?.scope).toBe("key");
    expect(own?.usage.reserved).toBeGreaterThan(0n);
    expect(own?.usage.openOrders).toBe(1);
  });
});
