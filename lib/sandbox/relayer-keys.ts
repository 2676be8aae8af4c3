import "server-only";
import { createHmac } from "node:crypto";
import { getAddress, isAddress } from "ethers";
import { env } from "@/lib/env";
import { isSameSecret } from "@/lib/polymarket/protocol/clob-auth";

/**
 * Serves `POST /relayer/api/keys`, which takes an owner's signature (L1). The venue creates these keys
 * after a sign-in that the sandbox does not have. An owner has one, which derives from its address.
 */
export function createRelayerKey({ owner }: { owner: string }) {
  return { apiKey: deriveRelayerKey(owner), address: owner };
}

/** Returns the owner of a relayer key; null if the key is not that address's. */
export function findRelayerOwner(key: string, address: string): string | null {
  if (!isAddress(address)) return null;
  const owner = getAddress(address);
  return isSameSecret(key, deriveRelayerKey(owner)) ? owner : null;
}

const deriveRelayerKey = (owner: string): string =>
  createHmac("sha256", env().API_KEY_PEPPER)
    .update(`sandbox/relayer/${owner.toLowerCase()}`)
    .digest("base64url");
