import "server-only";
import { isAddress } from "ethers";
import { getDb } from "@/lib/db/client";
import { selectWallet } from "@/lib/db/queries/sandbox-transactions";
import { selectAccount } from "@/lib/db/queries/users";
import { env } from "@/lib/env";
import { toUserId } from "@/lib/sandbox/accounts";
import { SandboxError } from "@/lib/sandbox/error";
import { settleWallet } from "@/lib/sandbox/settle-wallet";

/**
 * Serves `GET /deployed`, which clients call before they trade from a wallet. They name the type of
 * deposit wallets only.
 */
export async function readDeployed(query: URLSearchParams): Promise<{ deployed: boolean }> {
  const address = query.get("address") ?? "";
  if (!isAddress(address)) throw new SandboxError(400, "invalid address");
  await settleWallet(address);
  return { deployed: await isDeployed(address, query.get("type") ?? "") };
}

/**
 * Whether a wallet's contract exists. Paper has no chain, so without strict rules a deposit wallet
 * counts as deployed once it has an account, and other wallets always.
 */
export async function isDeployed(wallet: string, type: string): Promise<boolean> {
  const db = await getDb();
  const row = await selectWallet(db, wallet);
  if (row && row.deployedAt !== null) return true;
  if (env().SANDBOX_RULES === "strict") return false;
  return type !== "WALLET" || (await selectAccount(db, toUserId(wallet))) !== null;
}
