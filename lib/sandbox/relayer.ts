import "server-only";
import { isAddress } from "ethers";
import { getDb } from "@/lib/db/client";
import { selectAccount } from "@/lib/db/queries/users";
import { userIdOf } from "@/lib/sandbox/accounts";
import { SandboxError } from "@/lib/sandbox/error";

/**
 * `GET /deployed` of the relayer, which clients ask before they trade from a wallet. Paper has no
 * chain: a deposit wallet is there once its owner was seen, other kinds as soon as they are named.
 */
export async function readDeployed(query: URLSearchParams): Promise<{ deployed: boolean }> {
  const address = query.get("address") ?? "";
  if (!isAddress(address)) throw new SandboxError(400, "invalid address");
  if (query.get("type") !== "WALLET") return { deployed: true };
  return { deployed: (await selectAccount(await getDb(), userIdOf(address))) !== null };
}
