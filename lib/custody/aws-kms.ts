import "server-only";
import type { KMSClient } from "@aws-sdk/client-kms";
import type { Binding, KeyProvider } from "@/lib/custody/key-provider";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

const MAX_ATTEMPTS = 2;
const CONNECT_TIMEOUT_MS = 2000;
const REQUEST_TIMEOUT_MS = 3000;
/** What AWS KMS answers when the text, its key or its context is not the one it was made with. */
const NOT_ITS_OWN: ReadonlySet<string> = new Set([
  "InvalidCiphertextException",
  "IncorrectKeyException",
]);

/** The keys of AWS_KMS_KEY_ID, newest first. They never leave AWS KMS; calls go there. */
export const awsKms: KeyProvider = {
  id: "aws-kms",
  keyIds,
  wrap: async (dataKey, { keyId, context }) => {
    assertListed(keyId);
    const { EncryptCommand } = await load();
    const answer = await call((kms) =>
      kms.send(
        new EncryptCommand({
          KeyId: keyId,
          Plaintext: dataKey,
          EncryptionContext: contextOf({ keyId, context }),
        }),
      ),
    );
    return bytesOf(answer.CiphertextBlob);
  },
  unwrap: async (wrapped, { keyId, context }) => {
    assertListed(keyId);
    const { DecryptCommand } = await load();
    const answer = await call((kms) =>
      kms.send(
        new DecryptCommand({
          KeyId: keyId,
          CiphertextBlob: wrapped,
          EncryptionContext: contextOf({ keyId, context }),
        }),
      ),
    );
    return bytesOf(answer.Plaintext);
  },
};

function keyIds(): readonly string[] {
  return env().AWS_KMS_KEY_ID?.split(",") ?? [];
}

/** A key that only the stored text names is not asked: whoever wrote that text may own the key. */
function assertListed(keyId: string): void {
  if (!keyIds().includes(keyId)) throw new Error(`AWS_KMS_KEY_ID does not list the key "${keyId}"`);
}

/** AWS KMS authenticates it, and writes it into the account's audit log. */
const contextOf = ({ keyId, context }: Binding) => ({ "ante:secret": context, "ante:key": keyId });

/** Loaded when it is first needed: the library is large, and most services keep their own keys. */
const load = () => import("@aws-sdk/client-kms");

let client: KMSClient | undefined;

async function call<T>(send: (kms: KMSClient) => Promise<T>): Promise<T> {
  try {
    client ??= await makeClient();
    return await send(client);
  } catch (error) {
    throw translated(error);
  }
}

/** The library's errors hold the whole exchange, and its data keys with it: only names go on. */
function translated(error: unknown): Error {
  const name = error instanceof Error ? error.name : "Error";
  if (NOT_ITS_OWN.has(name)) return new Error(`a sealed secret does not open: ${name}`);
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

/** A copy of our own, so that wiping it wipes what is used. */
function bytesOf(answer: Uint8Array | undefined): Buffer {
  if (!answer) throw unavailable("an answer without its content");
  const bytes = Buffer.from(answer);
  answer.fill(0);
  return bytes;
}

function unavailable(what: string): AppError {
  return new AppError("SIGNER_UNAVAILABLE", "The keys cannot be reached just now. Try again.", {
    cause: new Error(`AWS KMS: ${what}`),
  });
}
