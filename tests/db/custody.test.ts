import { randomBytes } from "node:crypto";
import { computeAddress, hexlify } from "ethers";
import { describe, expect, it, vi } from "vitest";
import { findSession } from "@/lib/auth/session";
import { startSession } from "@/lib/auth/start-session";
import { paperWalletContext } from "@/lib/custody/contexts";
import { openAuth } from "@/lib/custody/push-secret";
import { rotateKeys } from "@/lib/custody/rotate-keys";
import { parseKeyName, withSecret } from "@/lib/custody/seal";
import { getDb } from "@/lib/db/client";
import { type SealedKeyRow, selectSealedKeys } from "@/lib/db/queries/wallets";
import { pushSubscriptions } from "@/lib/db/schema/push";
import { turnOnPush } from "@/lib/push/manage-push";
import { changes, restoreEnv } from "@/tests/support/custody/environment";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeBrowser } from "@/tests/support/push/browser";
import { makeUser } from "@/tests/support/users";

vi.mock("@/lib/env", async (importOriginal) =>
  (await import("@/tests/support/custody/environment")).changedEnv(importOriginal),
);
const OLD = process.env["KEY_ENCRYPTION_KEYS"] ?? "";
const FRESH = `fresh:${randomBytes(32).toString("base64")}`;

useFreshDatabase();
restoreEnv();

const allKeys = async () => selectSealedKeys(await getDb(), "", 1_000);
const openAddress = ({ userId, address, sealedKey }: SealedKeyRow) =>
  withSecret(sealedKey, paperWalletContext(userId, address), async (secret) =>
    computeAddress(hexlify(secret)),
  );

describe("withSecret", () => {
  it("opens a user's signing key and wipes it after use", async () => {
    await makeUser();
    const [row] = await allKeys();
    if (!row) throw new Error("the user has a wallet");
    expect(await openAddress(row)).toBe(row.address);
    let seen: Buffer | null = null;
    const context = paperWalletContext(row.userId, row.address);
    const failing = withSecret(row.sealedKey, context, async (secret) => {
      seen = secret;
      throw new Error("in use");
    });
    await expect(failing).rejects.toThrow("in use");
    expect(seen).toEqual(Buffer.alloc(32));
  });

  it("cannot open a key in another user's row or without its key-encryption key", async () => {
    const [mine, theirs] = [await makeUser(), await makeUser()];
    const rows = await allKeys();
    const row = rows.find(({ userId }) => userId === mine.userId);
    if (!row) throw new Error("the user has a wallet");
    const moved = { ...row, userId: theirs.userId };
    await expect(openAddress(moved)).rejects.toThrow();
    changes.KEY_ENCRYPTION_KEYS = FRESH;
    await expect(openAddress(row)).rejects.toThrow(/does not contain the key/);
  });
});

describe("rotateKeys", () => {
  it("moves every secret to the new key, so that the old one can be removed", async () => {
    for (let count = 0; count < 3; count += 1) await makeUser();
    const before = await allKeys();
    changes.KEY_ENCRYPTION_KEYS = `${FRESH},${OLD}`;
    expect(await rotateKeys("fresh")).toEqual({ rewrapped: before.length, unchanged: 0 });
    expect(await rotateKeys("fresh")).toEqual({ rewrapped: 0, unchanged: before.length });
    changes.KEY_ENCRYPTION_KEYS = FRESH;
    for (const row of await allKeys()) {
      expect(parseKeyName(row.sealedKey).keyId).toBe("fresh");
      expect(await openAddress(row)).toBe(row.address);
    }
  });

  it("moves the secrets of push subscriptions", async () => {
    changes.KEY_ENCRYPTION_KEYS = OLD;
    const { userId } = await makeUser();
    const { cookie } = await startSession(userId, { address: "1", userAgent: "Firefox/132.0" });
    const session = await findSession(cookie);
    if (!session) throw new Error("the session is over");
    const browser = makeBrowser("https://push.shop.com/1");
    await turnOnPush(session, browser, { showsAmounts: true });
    changes.KEY_ENCRYPTION_KEYS = `${FRESH},${OLD}`;
    await rotateKeys("fresh");
    changes.KEY_ENCRYPTION_KEYS = FRESH;
    const [row] = await (await getDb()).select().from(pushSubscriptions);
    if (!row) throw new Error("the subscription is gone");
    expect(parseKeyName(row.sealedAuth).keyId).toBe("fresh");
    expect(row.sealedAuth).not.toContain(browser.auth);
    expect(await openAuth(row)).toBe(browser.auth);
  });

  it("changes nothing for a key that the environment does not contain", async () => {
    changes.KEY_ENCRYPTION_KEYS = `${FRESH},${OLD}`;
    const before = await allKeys();
    await expect(rotateKeys("elsewhere")).rejects.toThrow(/does not contain the key "elsewhere"/);
    expect(await allKeys()).toEqual(before);
  });
});
