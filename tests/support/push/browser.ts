// A browser that takes push messages: its keys, and the steps of RFC 8291 and RFC 8292 that browsers and
// push services do. Written apart from the product's code, with Node's own functions.
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from "node:crypto";
import type { BrowserSubscription } from "@/lib/schemas/push";
import type { PushMessage } from "@/lib/push/send-push";

export interface FakeBrowser extends BrowserSubscription {
  read(encrypted: Buffer): PushMessage;
}

/** Makes a browser whose push service has this address. */
export function makeBrowser(endpoint: string): FakeBrowser {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  const auth = randomBytes(16);
  return {
    endpoint,
    publicKey: pair.getPublicKey("base64url"),
    auth: auth.toString("base64url"),
    read: (encrypted) => JSON.parse(decrypt(encrypted, { pair, auth }).toString()) as PushMessage,
  };
}

interface Receiver {
  pair: ECDH;
  auth: Buffer;
}

/** Decrypts a message as RFC 8291 says. */
export function decrypt(encrypted: Buffer, { pair, auth }: Receiver): Buffer {
  const salt = encrypted.subarray(0, 16);
  const keyEnd = 21 + encrypted.readUInt8(20);
  const senderKey = encrypted.subarray(21, keyEnd);
  const body = encrypted.subarray(keyEnd, -16);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), pair.getPublicKey(), senderKey]);
  const secret = Buffer.from(hkdfSync("sha256", pair.computeSecret(senderKey), auth, info, 32));
  const derive = (name: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, salt, `Content-Encoding: ${name}\0`, bytes));
  const cipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  cipher.setAuthTag(encrypted.subarray(-16));
  const padded = Buffer.concat([cipher.update(body), cipher.final()]);
  // The last record ends with 2 and zeros.
  return padded.subarray(0, padded.lastIndexOf(2));
}

/** The parts of an authorization, as a push service sees them. */
interface Authorization {
  isValid: boolean;
  publicKey: string;
  claims: { aud: string; exp: number; sub: string };
}

/** Reads the `Authorization` of a message as RFC 8292 says. */
export function readAuthorization(header: string): Authorization {
  const [, token = "", publicKey = ""] = /^vapid t=([^,]+), k=(.+)$/.exec(header) ?? [];
  const [head = "", payload = "", signature = ""] = token.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString("base64url"),
  );
  const key = createPublicKey({
    key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" },
    format: "jwk",
  });
  const isValid = verify(
    "sha256",
    Buffer.from(`${head}.${payload}`),
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  const claims = JSON.parse(
    Buffer.from(payload, "base64url").toString(),
  ) as Authorization["claims"];
  return { isValid, publicKey, claims };
}
