import { createPublicKey, ECDH } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";

/** Reads the keys of a service with this secret. */
async function readKeys(secret: string) {
  vi.resetModules();
  process.env["NEXTAUTH_SECRET"] = secret;
  const { getServerKeys } = await import("@/lib/push/server-keys");
  return getServerKeys();
}

const former = process.env["NEXTAUTH_SECRET"];
afterEach(() => {
  if (former === undefined) delete process.env["NEXTAUTH_SECRET"];
  else process.env["NEXTAUTH_SECRET"] = former;
});

const SECRET = "a secret of more than thirty-two bytes";

describe("the server's keys", () => {
  it("are a pair on P-256", async () => {
    const { publicKey, privateKey } = await readKeys(SECRET);
    const { x, y } = createPublicKey(
      privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    ).export({ format: "jwk" });
    const point = Buffer.concat([
      Buffer.from([4]),
      ...[x, y].map((part) => Buffer.from(part ?? "", "base64url")),
    ]);
    expect(publicKey).toBe(point.toString("base64url"));
    expect(ECDH.convertKey(publicKey, "prime256v1", "base64url")).toHaveLength(65);
  });

  it("are the same in every process and version, and others with another secret", async () => {
    const { publicKey } = await readKeys(SECRET);
    expect(publicKey).toBe(
      "BFQI9NzqcwGuYI6Jttxu7LVBkvLmqlFieuavIrH8h8anyxYdZgtL1WMsmqVVtHGrh6_X2IYisF0csInjJU8wjl0",
    );
    expect((await readKeys(`${SECRET}!`)).publicKey).not.toBe(publicKey);
  });
});
