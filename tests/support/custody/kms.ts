// A fake AWS KMS over HTTP: the two calls that we use, with its errors.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll } from "vitest";

interface KmsCall {
  KeyId: string;
  EncryptionContext?: Record<string, string>;
  Plaintext?: string;
  CiphertextBlob?: string;
}

/** Its behaviour: normal, down, or denying every call. */
type Mood = "well" | "silent" | "down" | "denying";

export interface KmsStandIn {
  endpoint: string;
  mood: Mood;
  /** The operation and body of every call. */
  calls: { operation: string; body: KmsCall }[];
}

/** Starts one for a test file. Each test starts with normal behaviour. */
export function useKms(): KmsStandIn {
  const kms: KmsStandIn = { endpoint: "", mood: "well", calls: [] };
  const keys = new Map<string, Buffer>();
  const server = createServer((request, response) => void answer(kms, keys, { request, response }));
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    kms.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    kms.mood = "well";
    kms.calls = [];
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return kms;
}

async function answer(
  kms: KmsStandIn,
  keys: Map<string, Buffer>,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const operation = String(request.headers["x-amz-target"]).replace("TrentService.", "");
  const body = JSON.parse(Buffer.concat(chunks).toString()) as KmsCall;
  kms.calls.push({ operation, body });
  if (kms.mood === "silent") return;
  if (kms.mood === "down") return void request.socket.destroy();
  const [status, reply] =
    kms.mood === "denying"
      ? [400, { __type: "AccessDeniedException", message: `no: ${JSON.stringify(body)}` }]
      : work(keys, operation, body);
  response.writeHead(status, { "content-type": "application/x-amz-json-1.1" });
  response.end(JSON.stringify(reply));
}

function work(keys: Map<string, Buffer>, operation: string, body: KmsCall): [number, object] {
  const { KeyId, EncryptionContext = {} } = body;
  const key = keys.get(KeyId) ?? randomBytes(32);
  keys.set(KeyId, key);
  const aad = Buffer.from(JSON.stringify(Object.entries(EncryptionContext).toSorted()));
  if (operation === "Encrypt") {
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", key, iv);
    cipher.setAAD(aad);
    const sealed = [cipher.update(body.Plaintext ?? "", "base64"), cipher.final()];
    const blob = Buffer.concat([iv, ...sealed, cipher.getAuthTag()]);
    return [200, { KeyId, CiphertextBlob: blob.toString("base64") }];
  }
  try {
    const blob = Buffer.from(body.CiphertextBlob ?? "", "base64");
    const decipher = createDecipheriv("aes-256-gcm", key, blob.subarray(0, 12));
    decipher.setAAD(aad);
    decipher.setAuthTag(blob.subarray(-16));
    const plain = Buffer.concat([decipher.update(blob.subarray(12, -16)), decipher.final()]);
    return [200, { KeyId, Plaintext: plain.toString("base64") }];
  } catch {
    return [400, { __type: "InvalidCiphertextException", message: "" }];
  }
}
