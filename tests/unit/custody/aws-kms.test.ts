import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { rewrap, seal, withSecret } from "@/lib/custody/seal";
import { changes, flippedBits, restoreEnv } from "@/tests/support/custody/environment";
import { useKms } from "@/tests/support/custody/kms";

vi.mock("@/lib/env", async (importOriginal) =>
  (await import("@/tests/support/custody/environment")).changedEnv(importOriginal),
);
restoreEnv();
const kms = useKms();
const CONTEXT = "live-wallet/usr_1/0xabc/0xdef/3/key";
const NEW_KEY = "arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";
const OLD_KEY = "alias/ante";

/** Where the SDK would log. */
const output = (["log", "info", "warn", "error", "debug"] as const).map((name) =>
  vi.spyOn(console, name),
);

beforeEach(() => {
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret-of-the-tests");
  changes.KEY_PROVIDER = "aws-kms";
  changes.AWS_KMS_KEY_ID = `${NEW_KEY},${OLD_KEY}`;
  changes.AWS_KMS_ENDPOINT = kms.endpoint;
});

const read = (sealed: string, context = CONTEXT) =>
  withSecret(sealed, context, async (secret) => secret.toString("hex"));
/** Everything that a log could contain of an error: message, cause and properties. */
const told = (error: unknown): string =>
  error instanceof Error
    ? `${error.message} ${JSON.stringify(error)} ${told(error.cause)}`
    : String(error);

describe("a secret under a key of AWS KMS", () => {
  it("opens and names its provider and key", async () => {
    const secret = randomBytes(32);
    const sealed = await seal(secret, CONTEXT);
    expect(sealed.split(".").slice(0, 3)).toEqual(["v2", "aws-kms", NEW_KEY]);
    expect(await read(sealed)).toBe(secret.toString("hex"));
  });

  it("never leaves the service: only its data key is sent, bound to its row", async () => {
    const secret = randomBytes(32);
    await read(await seal(secret, CONTEXT));
    expect(kms.calls.map(({ operation }) => operation)).toEqual(["Encrypt", "Decrypt"]);
    for (const { body } of kms.calls) {
      expect(body.EncryptionContext).toEqual({ "ante:secret": CONTEXT, "ante:key": NEW_KEY });
    }
    const sent = kms.calls[0]?.body.Plaintext ?? "";
    expect(Buffer.from(sent, "base64")).toHaveLength(32);
    expect(sent).not.toBe(secret.toString("base64"));
  });

  it("cannot be opened in another row", async () => {
    const sealed = await seal(randomBytes(32), CONTEXT);
    const opened = read(sealed, CONTEXT.replace("usr_1", "usr_2"));
    await expect(opened).rejects.toThrow("a sealed secret does not open");
  });

  it("cannot be opened with any bit flipped", async () => {
    const sealed = await seal(randomBytes(32), CONTEXT);
    for (const changed of flippedBits(sealed)) {
      await expect(read(changed), changed).rejects.toThrow();
    }
  });

  it("is not opened with a key that only the stored text names", async () => {
    const sealed = await seal(randomBytes(32), CONTEXT);
    kms.calls = [];
    await expect(read(sealed.replace(NEW_KEY, "alias/theirs"))).rejects.toThrow("does not list");
    expect(kms.calls).toEqual([]);
  });

  it("moves from the environment's keys to AWS KMS, between its keys, and back", async () => {
    const secret = randomBytes(32);
    changes.KEY_PROVIDER = "environment";
    const ours = await seal(secret, CONTEXT);
    const [environmentKey = ""] = (process.env["KEY_ENCRYPTION_KEYS"] ?? "").split(":");
    expect(kms.calls).toEqual([]);
    const theirs = await rewrap(ours, CONTEXT, OLD_KEY);
    const fresh = await rewrap(theirs, CONTEXT, NEW_KEY);
    const back = await rewrap(fresh, CONTEXT, environmentKey);
    for (const sealed of [ours, theirs, fresh, back]) {
      expect(await read(sealed)).toBe(secret.toString("hex"));
    }
    expect([theirs, fresh, back].map((sealed) => sealed.split(".")[2])).toEqual([
      OLD_KEY,
      NEW_KEY,
      environmentKey,
    ]);
  });
});

describe("when AWS KMS", () => {
  it.each(["down", "denying"] as const)(
    "is %s, nothing is sealed or opened and no detail leaks",
    async (mood) => {
      const secret = randomBytes(32);
      const sealed = await seal(secret, CONTEXT);
      const dataKey = kms.calls[0]?.body.Plaintext ?? "";
      kms.mood = mood;
      for (const attempt of [() => seal(secret, CONTEXT), () => read(sealed)]) {
        const error: unknown = await attempt().then(
          () => null,
          (thrown: unknown) => thrown,
        );
        expect(error).toMatchObject({ code: "SIGNER_UNAVAILABLE", status: 502 });
        const sent = kms.calls.flatMap(({ body }) => body.Plaintext ?? body.CiphertextBlob ?? []);
        for (const text of [dataKey, ...sent, "secret-of-the-tests"]) {
          expect(told(error)).not.toContain(text);
        }
      }
      for (const spy of output) expect(spy).not.toHaveBeenCalled();
    },
  );

  it("does not respond, the call times out", async () => {
    const sealed = await seal(randomBytes(32), CONTEXT);
    kms.mood = "silent";
    await expect(read(sealed)).rejects.toMatchObject({ code: "SIGNER_UNAVAILABLE" });
  });
});
