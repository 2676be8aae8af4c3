import { createDecipheriv, randomBytes } from "node:crypto";
import { computeAddress } from "ethers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createWallet } from "@/lib/custody/create-wallet";
import { environmentKeys } from "@/lib/custody/environment-keys";
import { deriveDepositWallet } from "@/lib/polymarket/protocol/wallets";
import { rewrap, seal, withSecret } from "@/lib/custody/seal";
import { changes, flippedBits, restoreEnv } from "@/tests/support/custody/environment";

vi.mock("@/lib/env", async (importOriginal) =>
  (await import("@/tests/support/custody/environment")).changedEnv(importOriginal),
);
restoreEnv();

/** The key-encryption key of the tests' environment. */
const [KEK_ID = "", KEK = ""] = (process.env["KEY_ENCRYPTION_KEYS"] ?? "").split(":");
const CONTEXT = "wallet/usr_1/0xabc";
const [IV_BYTES, TAG_BYTES] = [12, 16];

function open(key: Uint8Array, part: string, context: string): Buffer {
  const bytes = Buffer.from(part, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const body = bytes.subarray(IV_BYTES, -TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]);
}

/** Opens a sealed text by its documented form, without lib/custody. */
function unseal(sealed: string, context: string): Buffer {
  const [version, provider, keyId, wrapped = "", body = "", ...rest] = sealed.split(".");
  expect([version, provider, keyId, rest]).toEqual(["v2", "environment", KEK_ID, []]);
  const dataKey = open(Buffer.from(KEK, "base64"), wrapped, `${context}/data-key/${keyId}`);
  return open(dataKey, body, context);
}

describe("seal", () => {
  it("can be opened by the documented form", async () => {
    const secret = randomBytes(32);
    expect(unseal(await seal(secret, CONTEXT), CONTEXT)).toEqual(secret);
  });

  it("uses a fresh data key and fresh nonces each time", async () => {
    const secret = randomBytes(32);
    const texts = await Promise.all(Array.from({ length: 20 }, () => seal(secret, CONTEXT)));
    const sealed = texts.map((text) => text.split("."));
    const nonces = sealed.flatMap(([, , , wrapped = "", body = ""]) =>
      [wrapped, body].map((part) => Buffer.from(part, "base64url").subarray(0, IV_BYTES)),
    );
    expect(new Set(nonces.map((nonce) => nonce.toString("hex"))).size).toBe(40);
    const keys = sealed.map(([, , , wrapped = ""]) =>
      open(Buffer.from(KEK, "base64"), wrapped, `${CONTEXT}/data-key/${KEK_ID}`),
    );
    expect(new Set(keys.map((key) => key.toString("hex"))).size).toBe(20);
    expect(keys.every((key) => key.length === 32)).toBe(true);
  });

  it("uses tags of 16 bytes", async () => {
    const [, , , wrapped = "", body = ""] = (await seal(randomBytes(32), CONTEXT)).split(".");
    expect(Buffer.from(wrapped, "base64url")).toHaveLength(IV_BYTES + 32 + TAG_BYTES);
    expect(Buffer.from(body, "base64url")).toHaveLength(IV_BYTES + 32 + TAG_BYTES);
  });

  it("wraps with the first of several key-encryption keys", async () => {
    const first = randomBytes(32);
    changes.KEY_ENCRYPTION_KEYS = `new-1:${first.toString("base64")},${KEK_ID}:${KEK}`;
    const [, , keyId, wrapped = ""] = (await seal(randomBytes(32), CONTEXT)).split(".");
    expect(keyId).toBe("new-1");
    expect(open(first, wrapped, `${CONTEXT}/data-key/new-1`)).toHaveLength(32);
  });

  it("does not contain the secret unencrypted", async () => {
    const secret = randomBytes(32);
    const sealed = await seal(secret, CONTEXT);
    for (const encoding of ["hex", "base64", "base64url"] as const) {
      expect(sealed).not.toContain(secret.toString(encoding));
    }
  });

  it.each(["wallet/usr_2/0xabc", "wallet/usr_1/0xabd", "wallet/usr_1", ""])(
    "cannot be opened in another row (%j)",
    async (context) => {
      const sealed = await seal(randomBytes(32), CONTEXT);
      expect(() => unseal(sealed, context)).toThrow();
      await expect(withSecret(sealed, context, async () => "open")).rejects.toThrow();
    },
  );

  it("binds both layers to the row: parts of two rows cannot be combined", async () => {
    const other = "wallet/usr_2/0xdef";
    const mine = await seal(randomBytes(32), CONTEXT);
    const theirs = await seal(randomBytes(32), other);
    const [, , , mineKey = "", mineBody = ""] = mine.split(".");
    const [, , , theirKey = "", theirBody = ""] = theirs.split(".");
    for (const context of [CONTEXT, other]) {
      for (const parts of [
        [mineKey, theirBody],
        [theirKey, mineBody],
      ]) {
        expect(() => unseal(["v2", "environment", KEK_ID, ...parts].join("."), context)).toThrow();
      }
    }
  });

  it.each([32, 33, 34])("cannot be opened with any bit flipped (%i bytes)", async (length) => {
    const sealed = await seal(randomBytes(length), CONTEXT);
    const opens = async (text: string) =>
      withSecret(text, CONTEXT, async () => true).catch(() => false);
    expect(await opens(sealed)).toBe(true);
    let count = 0;
    for (const changed of flippedBits(sealed)) {
      expect(await opens(changed), changed).toBe(false);
      count += 1;
    }
    expect(count).toBe(sealed.length * 8);
  });

  it("opens secrets of the old form and rewraps them to the new one", async () => {
    const secret = randomBytes(32);
    const [, , ...rest] = (await seal(secret, CONTEXT)).split(".");
    const former = ["v1", ...rest].join(".");
    const read = (text: string) =>
      withSecret(text, CONTEXT, async (opened) => opened.toString("hex"));
    expect(await read(former)).toBe(secret.toString("hex"));
    const fresh = await rewrap(former, CONTEXT, KEK_ID);
    expect(unseal(fresh, CONTEXT)).toEqual(secret);
  });

  it.each(["", "v2", "v3.environment.test.AA.AA", "v2.vault.test.AA.AA", "v2.environment.test.AA"])(
    "rejects another form (%j)",
    async (text) => {
      const opened = withSecret(text, CONTEXT, async () => "open");
      await expect(opened).rejects.toThrow("unknown form");
    },
  );
});

describe("withSecret", () => {
  it("wipes the secret after use, also after a failure", async () => {
    const sealed = await seal(randomBytes(32), CONTEXT);
    const seen: Buffer[] = [];
    await withSecret(sealed, CONTEXT, async (secret) => {
      seen.push(secret);
      expect(secret.equals(Buffer.alloc(32))).toBe(false);
    });
    const failing = withSecret(sealed, CONTEXT, async (secret) => {
      seen.push(secret);
      throw new Error("in use");
    });
    await expect(failing).rejects.toThrow("in use");
    expect(seen).toEqual([Buffer.alloc(32), Buffer.alloc(32)]);
  });

  it("wipes the data key, like seal and rewrap", async () => {
    const wrapping = vi.spyOn(environmentKeys, "wrap");
    const unwrapping = vi.spyOn(environmentKeys, "unwrap");
    onTestFinished(() => void vi.restoreAllMocks());
    const sealed = await seal(randomBytes(32), CONTEXT);
    await withSecret(sealed, CONTEXT, async () => {});
    await rewrap(sealed, CONTEXT, KEK_ID);
    const wrapped = wrapping.mock.calls.map(([dataKey]) => dataKey);
    const opened = await Promise.all(unwrapping.mock.results.map(({ value }) => value));
    expect([wrapped.length, opened.length]).toEqual([2, 2]);
    for (const dataKey of [...wrapped, ...opened]) {
      expect(Buffer.from(dataKey)).toEqual(Buffer.alloc(32));
    }
  });

  it("gives each caller its own copy", async () => {
    const secret = randomBytes(32);
    const sealed = await seal(secret, CONTEXT);
    const slow = withSecret(sealed, CONTEXT, async (opened) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return opened.toString("hex");
    });
    for (let count = 0; count < 20; count += 1) await withSecret(sealed, CONTEXT, async () => {});
    expect(await slow).toBe(secret.toString("hex"));
  });
});

describe("createWallet", () => {
  it("seals the key of the address for the user and address", async () => {
    const { address, sealedKey, funderAddress } = await createWallet("usr_7");
    const privateKey = unseal(sealedKey, `wallet/usr_7/${address}`);
    expect(computeAddress(`0x${privateKey.toString("hex")}`)).toBe(address);
    expect(funderAddress).toBe(deriveDepositWallet(address));
    expect(() => unseal(sealedKey, `wallet/usr_8/${address}`)).toThrow();
  });

  it("creates a different wallet each time", async () => {
    const wallets = await Promise.all(Array.from({ length: 10 }, () => createWallet("usr_7")));
    expect(new Set(wallets.map(({ address }) => address)).size).toBe(10);
  });
});
