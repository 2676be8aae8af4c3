import "server-only";
import { createECDH, sign } from "node:crypto";
import ece from "http_ece";
import { now } from "@/lib/clock";
import { env } from "@/lib/env";
import { getServerKeys } from "@/lib/push/server-keys";
import { sendOutbound } from "@/lib/webhooks/send";

/** A push service keeps a message this long for a browser that is not running. */
const TTL_S = 24 * 3_600;
/** Push services reject a token that is valid for more than 24 hours (RFC 8292, 2). */
const TOKEN_LIFE_S = 12 * 3_600;
/** Push services want a contact. A service that is reached without https is somebody's own machine. */
const LOCAL_CONTACT = "mailto:operator@localhost";
const GONE: readonly number[] = [404, 410];
/** The push service does not accept this message, now or later. */
const UNACCEPTABLE: readonly number[] = [400, 413];

/** Where a browser gets messages, and the keys that encrypt them for it. */
export interface PushTarget {
  endpoint: string;
  publicKey: string;
  auth: string;
}

/** A notification, as `public/sw.js` reads it. */
export interface PushMessage {
  title: string;
  body: string;
  /** The path that a click opens. */
  href: string;
  /** A message replaces an earlier one with the same tag, also at the push service. */
  tag: string;
}

export type PushResult =
  | { outcome: "sent" }
  /** The browser has ended its subscription. */
  | { outcome: "gone" }
  | { outcome: "unacceptable"; status: number }
  /** Another attempt can succeed. */
  | { outcome: "failed"; retryAfterMs: number | null };

/** Encrypts a message for a browser and gives it to the browser's push service. */
export async function sendPush(target: PushTarget, message: PushMessage): Promise<PushResult> {
  const result = await sendOutbound({
    url: target.endpoint,
    headers: {
      authorization: createAuthorization(new URL(target.endpoint).origin),
      "content-encoding": "aes128gcm",
      "content-type": "application/octet-stream",
      topic: message.tag,
      ttl: String(TTL_S),
      urgency: "normal",
    },
    body: encryptMessage(target, message),
    allowsPrivate: env().WEBHOOK_ALLOW_PRIVATE,
  });
  if (result.outcome === "failed") return { outcome: "failed", retryAfterMs: null };
  const { status, retryAfterMs } = result;
  if (status >= 200 && status < 300) return { outcome: "sent" };
  if (GONE.includes(status)) return { outcome: "gone" };
  if (UNACCEPTABLE.includes(status)) return { outcome: "unacceptable", status };
  return { outcome: "failed", retryAfterMs };
}

/** Encrypts a message so that only the browser can read it (RFC 8291). */
function encryptMessage({ publicKey, auth }: PushTarget, message: PushMessage): Buffer {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  const options = {
    version: "aes128gcm",
    dh: publicKey,
    privateKey: pair,
    authSecret: auth,
  } as const;
  return ece.encrypt(Buffer.from(JSON.stringify(message)), options);
}

/** Builds the header that proves to a push service who sends (RFC 8292). */
function createAuthorization(audience: string): string {
  const { publicKey, privateKey } = getServerKeys();
  const origin = env().NEXTAUTH_URL;
  const claims = {
    aud: audience,
    exp: Math.floor(now() / 1_000) + TOKEN_LIFE_S,
    sub: origin.startsWith("https:") ? origin : LOCAL_CONTACT,
  };
  const [header, payload] = [{ typ: "JWT", alg: "ES256" }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  const signed = `${header}.${payload}`;
  const signature = sign("sha256", Buffer.from(signed), {
    key: privateKey,
    dsaEncoding: "ieee-p1363",
  });
  return `vapid t=${signed}.${signature.toString("base64url")}, k=${publicKey}`;
}
