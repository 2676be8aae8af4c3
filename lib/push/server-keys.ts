import "server-only";
import { createECDH, createPrivateKey, hkdfSync, type KeyObject } from "node:crypto";
import { env } from "@/lib/env";

/** The order of the curve P-256: a private key is a number from 1 to one less. */
const CURVE_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** 16 bytes more than a key has, so that all keys are equally likely (FIPS 186-5, A.2.1). */
const DERIVED_BYTES = 48;
const KEY_BYTES = 32;
const COORDINATE_BYTES = 32;

/** The key pair by which push services know this service (VAPID, RFC 8292). */
interface ServerKeys {
  /** The uncompressed point in base64url, as browsers and push services want it. */
  publicKey: string;
  privateKey: KeyObject;
}

let cached: { secret: string; keys: ServerKeys } | undefined;

/**
 * Returns the service's key pair, derived from NEXTAUTH_SECRET. Another secret ends all sessions, and a
 * push subscription belongs to a session, so the two have the same life.
 */
export function getServerKeys(): ServerKeys {
  const secret = env().NEXTAUTH_SECRET;
  if (cached?.secret !== secret) cached = { secret, keys: deriveKeys(secret) };
  return cached.keys;
}

function deriveKeys(secret: string): ServerKeys {
  const derived = Buffer.from(hkdfSync("sha256", secret, "", "ante/web-push/vapid", DERIVED_BYTES));
  const scalar = (BigInt(`0x${derived.toString("hex")}`) % (CURVE_ORDER - 1n)) + 1n;
  const bytes = Buffer.from(scalar.toString(16).padStart(2 * KEY_BYTES, "0"), "hex");
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(bytes);
  const point = pair.getPublicKey();
  const [x, y] = [point.subarray(1, 1 + COORDINATE_BYTES), point.subarray(1 + COORDINATE_BYTES)];
  const jwk = {
    kty: "EC",
    crv: "P-256",
    d: bytes.toString("base64url"),
    x: x.toString("base64url"),
    y: y.toString("base64url"),
  };
  return {
    publicKey: point.toString("base64url"),
    privateKey: createPrivateKey({ key: jwk, format: "jwk" }),
  };
}
