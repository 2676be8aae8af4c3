import "server-only";
import { getAddress, isAddress } from "ethers";
import { getDb } from "@/lib/db/client";
import { selectWallet } from "@/lib/db/queries/sandbox-transactions";
import {
  deriveDepositWallets,
  deriveProxyWallet,
  deriveSafeWallet,
} from "@/lib/polymarket/protocol/wallets";
import { SIGNATURE_TYPE } from "@/lib/polymarket/protocol/order-hash";
import { findWallet } from "@/lib/sandbox/accounts";
import { SandboxError } from "@/lib/sandbox/error";
import { settleWallet } from "@/lib/sandbox/settle-wallet";
import { isDeployed } from "@/lib/sandbox/deployed";

/** The address that sends transactions of proxy wallets. Their signatures name it. */
export const RELAY = "0x4444444444444444444444444444444444444444";

/** Serves `GET /v1/account/transactions/params`: what the next transaction of an owner's wallet signs. */
export async function readParams(query: URLSearchParams) {
  const { owner, type } = readOwner(query);
  const nonce = await readNonce(owner, type);
  return { address: type === "PROXY" ? RELAY : owner, nonce };
}

/** Serves `GET /nonce` of the older client. */
export async function readOldNonce(query: URLSearchParams) {
  const { owner, type } = readOwner(query);
  return { nonce: await readNonce(owner, type) };
}

type WalletType = "WALLET" | "SAFE" | "PROXY";

function readOwner(query: URLSearchParams): { owner: string; type: WalletType } {
  const address = query.get("address") ?? "";
  const type = query.get("type") ?? "SAFE";
  if (!isAddress(address)) throw new SandboxError(400, "invalid address");
  if (type !== "WALLET" && type !== "SAFE" && type !== "PROXY") {
    throw new SandboxError(400, "invalid type");
  }
  return { owner: getAddress(address), type };
}

async function readNonce(owner: string, type: WalletType): Promise<string> {
  const wallet = await findRelayedWallet(owner, type);
  await settleWallet(wallet);
  const row = await selectWallet(await getDb(), wallet);
  return String(row?.nonce ?? 0n);
}

/**
 * Finds the wallet of an owner or a session key. A deposit wallet of the first kind counts if only it is
 * deployed.
 */
async function findRelayedWallet(owner: string, type: WalletType): Promise<string> {
  if (type === "SAFE") return deriveSafeWallet(owner);
  if (type === "PROXY") return deriveProxyWallet(owner);
  const wallet = await findWallet(owner, SIGNATURE_TYPE.depositWallet);
  if (!deriveDepositWallets(owner).includes(wallet)) return wallet;
  const [current = owner, first = owner] = deriveDepositWallets(owner);
  const isFirst = !(await isDeployed(current, type)) && (await isDeployed(first, type));
  return isFirst ? first : current;
}
