import "server-only";
import { isBuilderRequest } from "@/lib/polymarket/protocol/builder-headers";
import { isRecent } from "@/lib/sandbox/authenticate";
import { SandboxError } from "@/lib/sandbox/error";
import { findBuilder } from "@/lib/sandbox/builder-keys";
import { findRelayerOwner } from "@/lib/sandbox/relayer-keys";

/** Who submits: a builder for any wallet, or an owner with its relayer key for its own. */
export interface RelayerCaller {
  keyId: string;
  /** The only address that may be `from`; null for a builder. */
  address: string | null;
}

/**
 * Authenticates a request to the relayer (polymarket-wallets.md 2.1). Throws 401.
 *
 * @param path the path as the client signed it: without the sandbox's mount and without the query.
 */
export async function authenticateRelayer(
  { headers, method }: Pick<Request, "headers" | "method">,
  path: string,
  body: string,
): Promise<RelayerCaller> {
  const address = headers.get("relayer_api_key_address");
  const owner = address && findRelayerOwner(headers.get("relayer_api_key") ?? "", address);
  if (owner) return { keyId: `relayer/${owner}`, address: owner };
  const keyId = headers.get("poly_builder_api_key") ?? "";
  const timestamp = headers.get("poly_builder_timestamp") ?? "";
  const builder = keyId === "" ? null : await findBuilder(keyId);
  const request = { timestamp, method, path, body };
  if (builder && isRecent(timestamp) && isBuilderRequest(headers, builder, request)) {
    return { keyId, address: null };
  }
  throw new SandboxError(401, "invalid authorization");
}
