import "server-only";
import type { KMSClient } from "@aws-sdk/client-kms";
import type { Binding, KeyProvider } from "@/lib/custody/key-provider";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

const MAX_ATTEMPTS = 2;
const CONNECT_TIMEOUT_MS = 2000;
const REQUEST_TIMEOUT_MS = 3000;
/** Errors of AWS KMS for a ciphertext with a wrong key or context, or a changed byte. */
const MISMATCH_ERRORS: ReadonlySet<string> = new Set([
  "InvalidCiphertextException",
  "IncorrectKeyException",
]);

/** Wraps data keys with the keys of AWS_KMS_KEY_ID, newest first. The keys never leave AWS KMS. */
export const awsKms: KeyProvider = {
  id: "aws-kms",
  keyIds,
  wrap: async (dataKey, { keyId, context }) => {
    assertListed(keyId);
    const { EncryptCommand } = await load();
    const response = await call((kms) =>
      kms.send(
        new EncryptCommand({
          KeyId: keyId,
          Plaintext: dataKey,
          EncryptionContext: toEncryptionContext({ keyId, context }),
        }),
      ),
    );
    return copyBytes(response.CiphertextBlob);
  },
  unwrap: async (wrapped, { keyId, context }) => {
    assertListed(keyId);
    const { DecryptCommand } = await load();
    const response = await call((kms) =>
      kms.send(
        new DecryptCommand({
          KeyId: keyId,
          CiphertextBlob: wrapped,
          EncryptionContext: toEncryptionContext({ keyId, context }),
        }),
      ),
    );
    return copyBytes(response.Plaintext);
  },
};

function keyIds(): readonly string[] {
  return env().AWS_KMS_KEY_ID?.split(",") ?? [];
}

/** Refuses keys that only the stored text names, because its author may own the key. */
function assertListed(keyId: string): void {
  if (!keyIds().includes(keyId)) throw new Error(`AWS_KMS_KEY_ID does not list the key "${keyId}"`);
}

/** AWS KMS authenticates the context and writes it to the account's audit log. */
const toEncryptionContext = ({ keyId, context }: Binding) => ({
  "ante:secret": context,
  "ante:key": keyId,
});

/** Loads the SDK on first use, because it is large and most installations don't need it. */
const load = () => import("@aws-sdk/client-kms");

let client: KMSClient | undefined;

async function call<T>(send: (kms: KMSClient) => Promise<T>): Promise<T> {
  try {
    client ??= await makeClient();
    return await send(client);
  } catch (error) {
    throw toSafeError(error);
  }
}

/** The SDK's errors contain the request with its data key, so only the error's name is kept. */
function toSafeError(error: unknown): Error {
  const name = error instanceof Error ? error.name : "Error";
  if (MISMATCH_ERRORS.has(name)) return new Error(`a sealed secret does not open: ${name}`);
  return unavailable(name);
}

async function makeClient(): Promise<KMSClient> {
  const { KMSClient: Client } = await load();
  const endpoint = env().AWS_KMS_ENDPOINT;
  return new Client({
    ...(endpoint === undefined ? {} : { endpoint }),
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
}

/** Copies the bytes and wipes the SDK's buffer, so that wiping the copy leaves none. */
function copyBytes(bytes: Uint8Array | undefined): Buffer {
  if (!bytes) throw unavailable("a response without content");
  const copy = Buffer.from(bytes);
  bytes.fill(0);
  return copy;
}

function unavailable(what: string): AppError {
  return new AppError("SIGNER_UNAVAILABLE", "The key service is unavailable. Try again.", {
    cause: new Error(`AWS KMS: ${what}`),
  });
}
