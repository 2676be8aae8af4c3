import { createDecipheriv, randomBytes } from "node:crypto";
import { computeAddress } from "ethers";
import { describe, expect, it, vi } from "vitest";
import { createWallet } from "@/lib/custody/create-wallet";
import { depositWalletOf } from "@/lib/polymarket/wallets";
import { seal } from "@/lib/custody/seal";

/** The key-encryption key that the tests' environment sets. */
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

/** Opens sealed text by the documented form, with nothing of lib/custody. */
function unseal(sealed: string, context: string): Buffer {
  const [version, keyId, wrapped = "", body = "", ...rest] = sealed.split(".");
  expect([version, keyId, rest]).toEqual(["v1", KEK_ID, []]);
  const dataKey = open(Buffer.from(KEK, "base64"), wrapped, `${context}/data-key/${keyId}`);
  return open(dataKey, body, context);
}

const flip = (part: string, index: number) => {
  const bytes = Buffer.from(part, "base64url");
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  return bytes.toString("base64url");
};

describe("seal", () => {
  it("opens to what was sealed, by the documented form", () => {
    const secret = randomBytes(32);
    expect(unseal(seal(secret, CONTEXT), CONTEXT)).toEqual(secret);
  });

  it("uses a fresh data key and fresh nonces each time", () => {
    const secret = randomBytes(32);
    const sealed = Array.from({ length: 20 }, () => seal(secret, CONTEXT).split("."));
    const nonces = sealed.flatMap(([, , wrapped = "", body = ""]) =>
      [wrapped, body].map((part) => Buffer.from(part, "base64url").subarray(0, IV_BYTES)),
    );
    expect(new Set(nonces.map((nonce) => nonce.toString("hex"))).size).toBe(40);
    const keys = sealed.map(([, , wrapped = ""]) =>
      open(Buffer.from(KEK, "base64"), wrapped, `${CONTEXT}/data-key/${KEK_ID}`),
    );
    expect(new Set(keys.map((key) => key.toString("hex"))).size).toBe(20);
    expect(keys.every((key) => key.length === 32)).toBe(true);
  });

  it("keeps tags of 16 bytes: each part is as long as nonce, plain text and tag", () => {
    const [, , wrapped = "", body = ""] = seal(randomBytes(32), CONTEXT).split(".");
    expect(Buffer.from(wrapped, "base64url")).toHaveLength(IV_BYTES + 32 + TAG_BYTES);
    expect(Buffer.from(body, "base64url")).toHaveLength(IV_BYTES + 32 + TAG_BYTES);
  });

  it("wraps under the first of several key-encryption keys, so that a new one can be put first", async () => {
    const first = randomBytes(32);
    vi.stubEnv("KEY_ENCRYPTION_KEYS", `new-1:${first.toString("base64")},${KEK_ID}:${KEK}`);
    vi.resetModules();
    try {
      const fresh = await import("@/lib/custody/seal");
      const [, keyId, wrapped = ""] = fresh.seal(randomBytes(32), CONTEXT).split(".");
      expect(keyId).toBe("new-1");
      expect(open(first, wrapped, `${CONTEXT}/data-key/new-1`)).toHaveLength(32);
    } finally {
      vi.unstubAllEnvs();
      vi.resetModules();
    }
  });

  it("does not hold the secret in clear", () => {
    const secret = randomBytes(32);
    const sealed = seal(secret, CONTEXT);
    for (const encoding of ["hex", "base64", "base64url"] as const) {
      expect(sealed).not.toContain(secret.toString(encoding));
    }
  });

  it.each(["wallet/usr_2/0xabc", "wallet/usr_1/0xabd", "wallet/usr_1", ""])(
    "does not open in another row (%j)",
    (context) => {
      const sealed = seal(randomBytes(32), CONTEXT);
      expect(() => unseal(sealed, context)).toThrow();
    },
  );

  it("binds both layers to the row: neither part opens beside that of another row", () => {
    const other = "wallet/usr_2/0xdef";
    const [mine, theirs] = [seal(randomBytes(32), CONTEXT), seal(randomBytes(32), other)];
    const [, , mineKey = "", mineBody = ""] = mine.split(".");
    const [, , theirKey = "", theirBody = ""] = theirs.split(".");
    for (const context of [CONTEXT, other]) {
      for (const parts of [
        [mineKey, theirBody],
        [theirKey, mineBody],
      ]) {
        expect(() => unseal(["v1", KEK_ID, ...parts].join("."), context)).toThrow();
      }
    }
  });

  it.each(["the wrapped data key", "the sealed secret"])(
    "shows any change of a byte of %s",
    (which) => {
      const parts = seal(randomBytes(32), CONTEXT).split(".");
      const at = which === "the wrapped data key" ? 2 : 3;
      const part = parts[at] ?? "";
      for (let index = 0; index < Buffer.from(part, "base64url").length; index += 1) {
        const changed = parts.with(at, flip(part, index)).join(".");
        expect(() => unseal(changed, CONTEXT)).toThrow();
      }
    },
  );
});

describe("createWallet", () => {
  it("seals, for this user and address, the very key that the address belongs to", () => {
    const { address, sealedKey, funderAddress } = createWallet("usr_7");
    const privateKey = unseal(sealedKey, `wallet/usr_7/${address}`);
    expect(computeAddress(`0x${privateKey.toString("hex")}`)).toBe(address);
    expect(funderAddress).toBe(depositWalletOf(address));
    expect(() => unseal(sealedKey, `wallet/usr_8/${address}`)).toThrow();
  });

  it("makes another wallet each time", () => {
    const wallets = Array.from({ length: 10 }, () => createWallet("usr_7").address);
    expect(new Set(wallets).size).toBe(10);
  });
});
