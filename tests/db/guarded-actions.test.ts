import { eq } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { changePassword } from "@/lib/accounts/change-password";
import { importLiveWallet } from "@/lib/accounts/change-live-wallet";
import { importOwnLiveWallet, removeOwnLiveWallet } from "@/lib/accounts/own-live-wallet";
import { issueOwnKey, rotateOwnKey } from "@/lib/limits/own-keys";
import { removeFactor, renewRecoveryCodes } from "@/lib/auth/second-factor/change-factors";
import type { Proof } from "@/lib/auth/second-factor/prove-factor";
import { startPasskey } from "@/lib/auth/second-factor/register-passkey";
import { findProofNeed, requireFreshFactor } from "@/lib/auth/second-factor/require-fresh-factor";
import { startTotpSetup } from "@/lib/auth/second-factor/set-up-totp";
import { createKey } from "@/lib/auth/create-key";
import type { Session } from "@/lib/auth/session";
import { switchMode } from "@/lib/accounts/switch-mode";
import { setClock } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import { apiKeys, liveWallets, users } from "@/lib/db/schema/accounts";
import { sessions } from "@/lib/db/schema/dashboard";
import {
  passkeyChallenges,
  passkeys,
  recoveryCodes,
  totpSecrets,
} from "@/lib/db/schema/second-factor";
import { webhookEndpoints } from "@/lib/db/schema/webhooks";
import { limitRules } from "@/lib/db/schema/limits";
import { GUARDED_ACTIONS, type GuardedAction } from "@/lib/domain/second-factor";
import { setLimits } from "@/lib/limits/change-limits";
import { freeze } from "@/lib/limits/freeze";
import { changeOwnLimits, thawOwn } from "@/lib/limits/own-limits";
import { createWebhook } from "@/lib/webhooks/manage-webhooks";
import { changeOwnWebhook, createOwnWebhook, rotateOwnWebhook } from "@/lib/webhooks/own-webhooks";
import { changes, restoreEnv } from "@/tests/support/custody/environment";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { createOwner } from "@/tests/support/live/wallets";
import {
  type App,
  nextAddress,
  openSession,
  ORIGIN,
  PASSWORD,
  setUpApp,
} from "@/tests/support/second-factor/factors";
import { makeUser, type TestUser } from "@/tests/support/users";
import { allowPrivate, useReceiver } from "@/tests/support/webhooks/receiver";

vi.mock("@/lib/env", async (importOriginal) =>
  (await import("@/tests/support/custody/environment")).changedEnv(importOriginal),
);
allowPrivate();
restoreEnv();
useFreshDatabase();
const receiver = useReceiver();

const MINUTE = 60_000;
const NEXT_PASSWORD = "a sentence that nobody guesses";
let now = Date.UTC(2026, 10, 25, 12);
const restoreClock = setClock(() => now);
afterAll(restoreClock);

let user: TestUser;
let session: Session;
let liveKeyId: string;
let webhookId: string;

beforeEach(async () => {
  changes.NEXTAUTH_URL = ORIGIN;
  changes.VENUES = ["paper", "polymarket"];
  changes.WEBHOOK_ALLOW_PRIVATE = true;
  now += 60 * MINUTE;
  user = await makeUser();
  session = await openSession(user.userId);
  await importLiveWallet(user.userId, createInput());
  ({ keyId: liveKeyId } = await withTransaction((tx) =>
    createKey(tx, {
      userId: user.userId,
      name: "live",
      mode: "live",
      scopes: ["read"],
      expiresAt: null,
    }),
  ));
  ({ id: webhookId } = await createWebhook(user.principal, { url: receiver.url }));
  await setLimits({ userId: user.userId, subject: ACCOUNT, limits: { maxOpenOrders: 5 } });
  await freeze({ userId: user.userId, subject: ACCOUNT, reason: "Test.", sessionId: session.id });
});

function createInput() {
  const { privateKey, funders } = createOwner();
  return { privateKey, funder: funders[3], signatureType: "3" };
}

const live = (by: Session): Session => ({ ...by, principal: { ...by.principal, mode: "live" } });

const ACCOUNT = { scope: "account", mode: "paper" } as const;

/** Every use case that asks for the second factor, under its action. */
const USE_CASES: [GuardedAction, string, (by: Session, proof: Proof) => Promise<unknown>][] = [
  ["switch_to_live", "switchMode", (by, proof) => switchMode(by, "live", proof)],
  [
    "import_wallet",
    "importOwnLiveWallet",
    (by, proof) => importOwnLiveWallet(by, createInput(), proof),
  ],
  ["remove_wallet", "removeOwnLiveWallet", (by, proof) => removeOwnLiveWallet(by, proof)],
  [
    "live_key",
    "issueOwnKey",
    (by, proof) =>
      issueOwnKey(live(by), { name: "a", scopes: ["read"], lifetime: "30", limits: {} }, proof),
  ],
  [
    "live_key",
    "rotateOwnKey, also of a session that shows paper money",
    (by, proof) => rotateOwnKey(by, liveKeyId, { overlapMs: 0, proof }),
  ],
  [
    "webhook_secret",
    "createOwnWebhook",
    (by, proof) => createOwnWebhook(by, { url: receiver.url }, proof),
  ],
  ["webhook_secret", "rotateOwnWebhook", (by, proof) => rotateOwnWebhook(by, webhookId, proof)],
  [
    "webhook_address",
    "changeOwnWebhook",
    (by, proof) => changeOwnWebhook(by, webhookId, { url: `${receiver.url}/moved` }, proof),
  ],
  [
    "change_password",
    "changePassword",
    (by, { address, password: current = PASSWORD, ...factor }) =>
      changePassword(by, { current, password: NEXT_PASSWORD, factor }, address),
  ],
  ["thaw", "thawOwn", (by, proof) => thawOwn(by, ACCOUNT, proof)],
  ["change_factors", "startPasskey", (by, proof) => startPasskey(by, "laptop", proof)],
  ["change_factors", "startTotpSetup", (by, proof) => startTotpSetup(by, proof)],
  ["change_factors", "renewRecoveryCodes", (by, proof) => renewRecoveryCodes(by, proof)],
  ["change_factors", "removeFactor", (by, proof) => removeFactor(by, "app", proof)],
];
/** tests/db/approvals.test.ts and the end of this file have these. */
const ELSEWHERE: readonly GuardedAction[] = ["raise_limit", "approve"];

async function findCode(attempt: Promise<unknown>): Promise<string | null> {
  return attempt.then(
    () => null,
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );
}

/** Reads everything that a guarded action can change. */
async function readState() {
  const db = await getDb();
  const { userId } = user;
  return {
    user: await db.select().from(users).where(eq(users.id, userId)),
    sessions: await db
      .select()
      .from(sessions)
      .where(eq(sessions.userId, userId))
      .orderBy(sessions.id),
    keys: await db.select().from(apiKeys).where(eq(apiKeys.userId, userId)).orderBy(apiKeys.id),
    wallet: await db.select().from(liveWallets).where(eq(liveWallets.userId, userId)),
    rules: await db.select().from(limitRules).where(eq(limitRules.userId, userId)),
    webhooks: await db
      .select()
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.userId, userId))
      .orderBy(webhookEndpoints.id),
    passkeys: await db
      .select()
      .from(passkeys)
      .where(eq(passkeys.userId, userId))
      .orderBy(passkeys.id),
    apps: await db.select().from(totpSecrets).where(eq(totpSecrets.userId, userId)),
    codes: await db
      .select()
      .from(recoveryCodes)
      .where(eq(recoveryCodes.userId, userId))
      .orderBy(recoveryCodes.codeHash),
    challenges: await db
      .select()
      .from(passkeyChallenges)
      .where(eq(passkeyChallenges.holderId, session.id)),
  };
}

type State = Awaited<ReturnType<typeof readState>>;

/** Leaves out what a right proof changes by itself. */
const withoutProof = ({ sessions: rows, apps, ...rest }: State) => ({
  ...rest,
  sessions: rows.map(({ factorAt: _factorAt, ...row }) => row),
  apps: apps.map(({ lastStep: _lastStep, ...row }) => row),
});

it("every guarded action has a use case here or elsewhere", () => {
  const tested = new Set<string>(USE_CASES.map(([action]) => action));
  const missing = GUARDED_ACTIONS.filter((action) => !tested.has(action));
  expect(missing).toEqual(ELSEWHERE);
});

describe.each(USE_CASES)("%s: %s", (_action, _name, act) => {
  const FOR_FACTORS = /renew|removeFactor/;

  it("without a second factor asks for the password, each time", async () => {
    const before = await readState();
    for (const password of ["", "not the password at all"]) {
      expect(await findCode(act(session, { address: nextAddress(), password }))).toBe(
        "VALIDATION_ERROR",
      );
    }
    expect(await readState()).toEqual(before);
    if (FOR_FACTORS.test(_name)) return;
    expect(await findCode(act(session, { address: nextAddress(), password: PASSWORD }))).toBeNull();
    expect(withoutProof(await readState())).not.toEqual(withoutProof(before));
  });

  describe("with a second factor", () => {
    let app: App;
    let other: Session;
    beforeEach(async () => {
      other = await openSession(user.userId);
      ({ app } = await setUpApp(other, now));
    });

    it("changes nothing if none was proven, only in another session, or too long ago", async () => {
      const before = await readState();
      // The other session is fresh.
      expect(await findCode(act(session, { address: nextAddress() }))).toBe(
        "SECOND_FACTOR_REQUIRED",
      );
      now += 5 * MINUTE;
      expect(await findCode(act(other, { address: nextAddress() }))).toBe("SECOND_FACTOR_REQUIRED");
      expect(await readState()).toEqual(before);
    });

    it("changes nothing with the password alone or a wrong code", async () => {
      const before = await readState();
      const password = { address: nextAddress(), password: PASSWORD };
      expect(await findCode(act(session, password))).toBe("SECOND_FACTOR_REQUIRED");
      const wrong = { ...password, code: app.codeAt(now + 60 * MINUTE) };
      expect(await findCode(act(session, wrong))).toBe("VALIDATION_ERROR");
      expect(await readState()).toEqual(before);
    });

    it("goes through with a right code", async () => {
      now += MINUTE;
      const before = await readState();
      const proof = { address: nextAddress(), code: app.codeAt(now) };
      expect(await findCode(act(session, proof))).toBeNull();
      expect(withoutProof(await readState())).not.toEqual(withoutProof(before));
    });
  });
});

it("a webhook's wrong address is refused before the factor is asked for, and changes nothing", async () => {
  const before = await readState();
  const proof = { address: nextAddress() };
  for (const url of ["foo", "ftp://example.com", `${receiver.url}#part`]) {
    for (const attempt of [
      createOwnWebhook(session, { url }, proof),
      changeOwnWebhook(session, webhookId, { url }, proof),
    ]) {
      await expect(attempt).rejects.toMatchObject({ code: "VALIDATION_ERROR", field: "url" });
    }
  }
  expect(await readState()).toEqual(before);
});

describe("with REQUIRE_SECOND_FACTOR=1", () => {
  beforeEach(() => {
    changes.REQUIRE_SECOND_FACTOR = true;
  });

  const others = USE_CASES.filter(([action]) => action !== "change_factors");
  it.each(others)("%s: %s changes nothing without a factor", async (action, _name, act) => {
    const before = await readState();
    const proof = { address: nextAddress(), password: PASSWORD };
    expect(await findCode(act(session, proof))).toBe("SECOND_FACTOR_REQUIRED");
    expect(await readState()).toEqual(before);
    expect(await findProofNeed(session, action)).toEqual({ kind: "missing" });
  });

  it("a user without a factor can set one up with the password", async () => {
    await setUpApp(session, now);
    expect(await requireFreshFactor(session, "live_key", { address: nextAddress() })).toBe(
      "factor",
    );
  });
});

describe("raise_limit: changeOwnLimits", () => {
  const raise = (by: Session, proof: Partial<Proof>) =>
    changeOwnLimits(
      by,
      { subject: ACCOUNT, limits: { maxOpenOrders: 6 } },
      { address: nextAddress(), ...proof },
    );

  it("changes nothing without a fresh second factor, and goes through with a right code", async () => {
    const { app } = await setUpApp(session, now);
    now += 5 * MINUTE;
    const before = await readState();
    expect(await findCode(raise(session, {}))).toBe("VALIDATION_ERROR");
    expect(await findCode(raise(session, { password: PASSWORD }))).toBe("SECOND_FACTOR_REQUIRED");
    expect(await findCode(raise(session, { code: app.codeAt(now - 60 * MINUTE) }))).toBe(
      "VALIDATION_ERROR",
    );
    expect(await readState()).toEqual(before);
    expect(await findCode(raise(session, { code: app.codeAt(now) }))).toBeNull();
    expect((await readState()).rules).toMatchObject([{ limits: { maxOpenOrders: 6 } }]);
  });

  it("lowers a limit without a proof", async () => {
    await setUpApp(session, now);
    now += 5 * MINUTE;
    const proof = { address: nextAddress() };
    await changeOwnLimits(session, { subject: ACCOUNT, limits: { maxOpenOrders: 4 } }, proof);
    expect((await readState()).rules).toMatchObject([{ limits: { maxOpenOrders: 4 } }]);
  });
});

it("a typo in the private key of a wallet leaves the code unused", async () => {
  const { app } = await setUpApp(session, now);
  now += 6 * MINUTE;
  const input = createInput();
  const typed = { ...input, privateKey: input.privateKey.slice(0, -1) };
  const proof = { address: nextAddress(), code: app.codeAt(now) };
  const before = await readState();
  expect(await findCode(importOwnLiveWallet(session, typed, proof))).toBe("VALIDATION_ERROR");
  expect(await readState()).toEqual(before);
  expect(await findCode(importOwnLiveWallet(session, input, proof))).toBeNull();
});

it("keys of paper money ask for nothing", async () => {
  await setUpApp(session, now);
  now += 6 * MINUTE;
  const request = { name: "bot", scopes: ["read"], lifetime: "30", limits: {} };
  const { keyId } = await issueOwnKey(session, request, { address: nextAddress() });
  const proof = { address: nextAddress() };
  expect(await findCode(rotateOwnKey(session, keyId, { overlapMs: 0, proof }))).toBeNull();
});

it("a webhook's other settings ask for nothing, with its address left as it is", async () => {
  await setUpApp(session, now);
  now += 6 * MINUTE;
  const body = { url: receiver.url, types: ["order.filled" as const], ordered: false };
  const changed = await changeOwnWebhook(session, webhookId, body, { address: nextAddress() });
  expect(changed).toMatchObject({ ...body, id: webhookId });
});
