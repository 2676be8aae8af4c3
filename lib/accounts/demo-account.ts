import "server-only";
import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { createUser } from "@/lib/accounts/create-user";
import { parseKey } from "@/lib/auth/api-key";
import { checkKey } from "@/lib/auth/authenticate";
import { readBearer } from "@/lib/auth/bearer";
import { DemoFile, demoFile, findDemoUserId, readDemoFile } from "@/lib/auth/demo-file";
import { isRightPassword } from "@/lib/auth/password";
import { type KeyPrincipal, SCOPES } from "@/lib/auth/principal";
import { type Browser, startSession, type StartedSession } from "@/lib/auth/start-session";
import { getDatabase, getDb } from "@/lib/db/client";
import { countUsers, selectAccount, selectCredentials } from "@/lib/db/queries/users";
import { AppError, assert } from "@/lib/errors";
import { usdc } from "@/lib/units";

const DEMO_EMAIL = "demo@ante.local";
const DEMO_DEPOSIT = usdc(10_000_000_000n);

/** Whether the demo account is to be created: on the first start with the embedded database. */
export async function lacksDemoAccount(): Promise<boolean> {
  const { db, kind } = await getDatabase();
  return kind === "embedded" && (await countUsers(db)) === 0;
}

/**
 * Creates the demo account and returns its key. The credentials file is written before the transaction
 * commits, so a crash can't leave an account without credentials.
 */
export async function createDemoAccount(): Promise<KeyPrincipal> {
  const password = randomBytes(15).toString("base64url");
  const created = await createUser({
    email: DEMO_EMAIL,
    password,
    deposit: DEMO_DEPOSIT,
    key: { name: "demo", scopes: SCOPES },
    beforeCommit: ({ email, apiKey, userId, address, funderAddress }) => {
      const credentials = { email, password, apiKey, userId, address, funderAddress };
      writeFileSync(demoFile(), `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
    },
  });
  const keyId = parseKey(created.apiKey ?? "")?.id;
  assert(keyId, "the demo account has a key");
  return { userId: created.userId, mode: "paper", keyId, scopes: SCOPES };
}

/** Returns whether this service has a demo account. */
export async function hasDemoAccount(): Promise<boolean> {
  const userId = await findDemoUserId();
  if (userId === null) return false;
  return (await selectAccount(await getDb(), userId)) !== null;
}

/**
 * Checks that the credentials of the demo file still work: the key can be revoked, the password
 * changed, or the database replaced.
 *
 * @returns null if they work, otherwise the reason; undefined if there is no demo account.
 */
export async function checkDemoFile(): Promise<string | null | undefined> {
  const { db, kind } = await getDatabase();
  if (kind !== "embedded" || !existsSync(demoFile())) return undefined;
  const demo = readDemoFile(DemoFile);
  if (demo === null) return "The file can't be read.";
  const account = await selectCredentials(db, demo.email.toLowerCase());
  if (account?.userId !== demo.userId) return "This database doesn't have the account.";
  try {
    const headers = new Headers({ authorization: `Bearer ${demo.apiKey}` });
    const { key } = await checkKey(readBearer(headers), "trade", { address: "127.0.0.1" });
    if (key.userId !== demo.userId) return "Its API key belongs to another account.";
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
  const isRight = await isRightPassword(demo.password, account.passwordHash);
  return isRight ? null : "Its password was changed.";
}

/** Signs in to the shared demo account, which needs no password. */
export async function signInToDemo(browser: Browser): Promise<StartedSession> {
  const userId = await findDemoUserId();
  if (userId === null || !(await hasDemoAccount())) {
    throw new AppError("VALIDATION_ERROR", "This service has no demo account.");
  }
  return startSession(userId, browser);
}
