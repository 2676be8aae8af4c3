import { randomBytes } from "node:crypto";
import { computeAddress, hexlify } from "ethers";
import { describe, expect, it, vi } from "vitest";
import { walletContext } from "@/lib/custody/contexts";
import { rotateKeys } from "@/lib/custody/rotate-keys";
import { keyNameOf, withSecret } from "@/lib/custody/seal";
import { getDb } from "@/lib/db/client";
import { type SealedKeyRow, selectSealedKeys } from "@/lib/db/queries/wallets";
import { changes, restoreEnv } from "@/tests/support/custody";
import { useFreshDatabase } from "@/tests/support/database";
import { makeUser } from "@/tests/support/users";

vi.mock("@/lib/env", async (importOriginal) =>
  (await import("@/tests/support/custody")).changedEnv(importOriginal),
);
const OLD = process.env["KEY_ENCRYPTION_KEYS"] ?? "";
const FRESH = `fresh:${randomBytes(32).toString("base64")}`;

useFreshDatabase();
restoreEnv();

const allKeys = async () => selectSealedKeys(await getDb(), "", 1_000);
const openAddress = ({ userId, address, sealedKey }: SealedKeyRow) =>
  withSecret(sealedKey, walletContext(userId, address), async (secret) =>
    computeAddress(hexlify(secret)),
  );

describe("withSecret", () => {
  it("opens a user's own signing key, and wipes it when it was used", async () => {
    await makeUser();
    const [row] = await allKeys();
    if (!row) throw new Error("the user has a wallet");
    expect(await openAddress(row)).toBe(row.address);
    let seen: Buffer | null = null;
    const context = walletContext(row.userId, row.address);
    const failing = withSecret(row.sealedKey, context, async (secret) => {
      seen = secret;
      throw new Error("in use");
    });
    await expect(failing).rejects.toThrow("in use");
    expect(seen).toEqual(Buffer.alloc(32));
  });

  it("does not open a key in another user's row, or when its key-encryption key is gone", async () => {
    const [mine, theirs] = [await makeUser(), await makeUser()];
    const rows = await allKeys();
    const row = rows.find(({ userId }) => userId === mine.userId);
    if (!row) throw new Error("the user has a wallet");
    const moved = { ...row, userId: theirs.userId };
    await expect(openAddress(moved)).rejects.toThrow();
    changes.KEY_ENCRYPTION_KEYS = FRESH;
    await expect(openAddress(row)).rejects.toThrow(/does not hold the key/);
  });
});

describe("rotateKeys", () => {
  it("brings every secret under the new key; the old one may then leave", async () => {
    for (let count = 0; count < 3; count += 1) await makeUser();
    const before = await allKeys();
    changes.KEY_ENCRYPTION_KEYS = `${FRESH},${OLD}`;
    expect(await rotateKeys("fresh")).toEqual({ rewrapped: before.length, unchanged: 0 });
    expect(await rotateKeys("fresh")).toEqual({ rewrapped: 0, unchanged: before.length });
    changes.KEY_ENCRYPTION_KEYS = FRESH;
    for (const row of await allKeys()) {
      expect(keyNameOf(row.sealedKey).keyId).toBe("fresh");
      expect(await openAddress(row)).toBe(row.address);
    }
  });

  it("to a key that the environment does not hold changes nothing", async () => {
    changes.KEY_ENCRYPTION_KEYS = `${FRESH},${OLD}`;
    const before = await allKeys();
    await expect(rotateKeys("elsewhere")).rejects.toThrow(/does not hold the key "elsewhere"/);
    expect(await allKeys()).toEqual(before);
  });
});
