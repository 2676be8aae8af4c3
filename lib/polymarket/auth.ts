import "server-only";
import { now } from "@/lib/clock";
import { AppError } from "@/lib/errors";
import { computeHmac } from "@/lib/polymarket/protocol/clob-auth";
import { readJson, type UpstreamRequest, UpstreamStatus } from "@/lib/polymarket/http";
import { Credentials } from "@/lib/polymarket/wire/orders";
import type { ClobCredentials, OwnershipProof, Trader } from "@/lib/venue/trader";

/** Signs a request with the trader's API credentials (L2, polymarket.md 1.2). */
export function authorize(
  { address, credentials }: Trader,
  request: UpstreamRequest,
): UpstreamRequest {
  if (credentials === null) {
    throw new AppError("UPSTREAM_AUTH_FAILED", "This wallet has no API credentials at the venue.");
  }
  const timestamp = String(Math.floor(now() / 1_000));
  const { method, path, body = "" } = request;
  return {
    ...request,
    headers: {
      ...request.headers,
      POLY_ADDRESS: address,
      POLY_SIGNATURE: computeHmac(credentials.secret, { timestamp, method, path, body }),
      POLY_TIMESTAMP: timestamp,
      POLY_API_KEY: credentials.key,
      POLY_PASSPHRASE: credentials.passphrase,
    },
  };
}

/**
 * Returns the owner's API credentials, and creates them if there are none. Repeated calls return the
 * same ones. Of several concurrent calls only one creates them; the others then derive them.
 */
export async function obtainCredentials(proof: OwnershipProof): Promise<ClobCredentials> {
  const found = await unlessRefused(() => derive(proof));
  const created = found ?? (await unlessRefused(() => create(proof)));
  return created ?? derive(proof);
}

const derive = (proof: OwnershipProof) => requestKey("GET", "/auth/derive-api-key", proof);
const create = (proof: OwnershipProof) => requestKey("POST", "/auth/api-key", proof);

function requestKey(method: "GET" | "POST", path: string, proof: OwnershipProof) {
  const headers = {
    POLY_ADDRESS: proof.address,
    POLY_SIGNATURE: proof.signature,
    POLY_TIMESTAMP: proof.timestamp,
    POLY_NONCE: proof.nonce,
  };
  return readJson({ service: "clob", method, path, headers }, Credentials);
}

/** Returns null on a 400: there are no credentials to derive, or they already exist. */
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
