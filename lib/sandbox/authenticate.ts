import "server-only";
import { getAddress, isAddress } from "ethers";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { selectSandboxKey } from "@/lib/db/queries/sandbox-keys";
import { env } from "@/lib/env";
import type { ChainId } from "@/lib/polymarket/protocol/contracts";
import { computeHmac, isClobAuthGenuine, isSameSecret } from "@/lib/polymarket/protocol/clob-auth";
import { SandboxError } from "@/lib/sandbox/error";
import { type Credentials, deriveCredentials } from "@/lib/sandbox/keys";

/** How far a request's clock may be off. The venue documents no limit. */
const MAX_SKEW_S = 60;

export interface SandboxCaller {
  /** The address whose key made the API key, with its checksum. */
  owner: string;
  apiKey: string;
}

/** Returns the chain that wallets sign for. */
export const chainId = (): ChainId => (env().POLYGON_CHAIN_ID === 137 ? 137 : 80_002);

/** L1: proves that the caller holds an owner's private key. Throws 401. */
export function authenticateOwner(headers: Headers): { owner: string; nonce: string } {
  const address = headers.get("poly_address") ?? "";
  const timestamp = headers.get("poly_timestamp") ?? "";
  const nonce = headers.get("poly_nonce") ?? "0";
  const signature = headers.get("poly_signature") ?? "";
  const isWellFormed =
    isAddress(address) && /^(0|[1-9]\d{0,19})$/.test(nonce) && isRecent(timestamp);
  if (!isWellFormed || !isClobAuthGenuine({ address, timestamp, nonce }, chainId(), signature)) {
    throw new SandboxError(401, "Invalid L1 Request headers");
  }
  return { owner: getAddress(address), nonce };
}

/**
 * L2: proves that the caller holds an API key's secret, for exactly these bytes. Throws 401.
 *
 * @param path the path as the client signed it: without the sandbox's mount and without the query.
 */
export async function authenticateKey(
  request: Request,
  path: string,
  body: string,
): Promise<SandboxCaller> {
  const { headers } = request;
  const apiKey = headers.get("poly_api_key") ?? "";
  const address = headers.get("poly_address") ?? "";
  const timestamp = headers.get("poly_timestamp") ?? "";
  const row = isKeyId(apiKey) ? await selectSandboxKey(await getDb(), apiKey) : null;
  const credentials = deriveCredentials(row?.owner ?? address, row?.nonce ?? "0");
  const expected = computeHmac(credentials.secret, {
    timestamp,
    method: request.method,
    path,
    body,
  });
  const isGenuine =
    isSameSecret(headers.get("poly_signature") ?? "", expected) &&
    isSameSecret(headers.get("poly_passphrase") ?? "", credentials.passphrase);
  const isUsable = row !== null && row.deletedAt === null;
  if (!isGenuine || !isUsable || !isRecent(timestamp) || !isSameAddress(address, row.owner)) {
    throw new SandboxError(401, "Unauthorized/Invalid api key");
  }
  return { owner: row.owner, apiKey };
}

/** Authenticates the user channel, which sends the credentials themselves. Null if they are wrong. */
export async function authenticateSecret(given: Credentials): Promise<SandboxCaller | null> {
  const { apiKey, secret, passphrase } = given;
  const row = isKeyId(apiKey) ? await selectSandboxKey(await getDb(), apiKey) : null;
  const credentials = deriveCredentials(row?.owner ?? "", row?.nonce ?? "0");
  const isGenuine =
    isSameSecret(secret, credentials.secret) && isSameSecret(passphrase, credentials.passphrase);
  return row && row.deletedAt === null && isGenuine ? { owner: row.owner, apiKey } : null;
}

const isKeyId = (text: string) => /^[0-9a-f-]{36}$/.test(text);

/** Whether a time in seconds is close to the service's. */
export function isRecent(timestamp: string): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) - now() / 1000) <= MAX_SKEW_S;
}

function isSameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
