import "server-only";
import { now } from "@/lib/clock";
import { AppError } from "@/lib/errors";
import { hmacOf } from "@/lib/polymarket/clob-auth";
import { readJson, type UpstreamRequest, UpstreamStatus } from "@/lib/venue/polymarket/http";
import { Credentials } from "@/lib/venue/polymarket/wire/orders";
import type { ClobCredentials, OwnershipProof, Trader } from "@/lib/venue/trader";

/** Proves that a request is the trader's (L2, polymarket.md 1.2). */
export function authorize(
  { address, credentials }: Trader,
  request: UpstreamRequest,
): UpstreamRequest {
  if (credentials === null) {
    throw new AppError("UPSTREAM_AUTH_FAILED", "this wallet has no API credentials at the venue");
  }
  const timestamp = String(Math.floor(now() / 1_000));
  const { method, path, body = "" } = request;
  return {
    ...request,
    headers: {
      ...request.headers,
      POLY_ADDRESS: address,
      POLY_SIGNATURE: hmacOf(credentials.secret, { timestamp, method, path, body }),
      POLY_TIMESTAMP: timestamp,
      POLY_API_KEY: credentials.key,
      POLY_PASSPHRASE: credentials.passphrase,
    },
  };
}

/**
 * The owner's API credentials: the ones that exist, or new ones. Asking again gives the same. Of
 * several that ask at once only one can make them; the others then find them made.
 */
export async function obtainCredentials(proof: OwnershipProof): Promise<ClobCredentials> {
  const found = await unlessRefused(() => derive(proof));
  const made = found ?? (await unlessRefused(() => create(proof)));
  return made ?? derive(proof);
}

const derive = (proof: OwnershipProof) => ask("GET", "/auth/derive-api-key", proof);
const create = (proof: OwnershipProof) => ask("POST", "/auth/api-key", proof);

function ask(method: "GET" | "POST", path: string, proof: OwnershipProof) {
  const headers = {
    POLY_ADDRESS: proof.address,
    POLY_SIGNATURE: proof.signature,
    POLY_TIMESTAMP: proof.timestamp,
    POLY_NONCE: proof.nonce,
  };
  return readJson({ service: "clob", method, path, headers }, Credentials);
}

/** Null when the venue has nothing to derive, or has made it already: both are a 400. */
async function unlessRefused(
  call: () => Promise<ClobCredentials>,
): Promise<ClobCredentials | null> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof UpstreamStatus && error.upstreamStatus === 400) return null;
    throw error;
  }
}
