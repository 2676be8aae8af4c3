import "server-only";
import { z } from "zod";
import { getDb } from "@/lib/db/client";
import { readCash, readShares } from "@/lib/ledger/read-balances";
import { CONTRACT, getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import type { SignatureType } from "@/lib/polymarket/protocol/order-hash";
import { findAccount, findWallet } from "@/lib/sandbox/accounts";
import { chainId, type SandboxCaller } from "@/lib/sandbox/authenticate";
import { SandboxError } from "@/lib/sandbox/error";
import { readApprovals } from "@/lib/sandbox/wallet-approvals";
import { settleWallet } from "@/lib/sandbox/settle-wallet";
import { requireAccount } from "@/lib/accounts/require-account";
import { EXCHANGES } from "@/lib/domain/protocol";

const SignatureTypeText = z.enum(["0", "1", "2", "3"]);
const TYPES = { "0": 0, "1": 1, "2": 2, "3": 3 } as const;

/** What a balance is of: the collateral, or an outcome that a token contract holds. */
type Asset = { kind: "collateral" } | { kind: "position"; contract: string; tokenId: string };

/**
 * Serves `GET /balance-allowance`: a wallet's balance, and the allowances of the exchanges and of the
 * adapter of multi-outcome events (polymarket.md 2.4), in base units.
 */
export async function readBalance(caller: SandboxCaller, query: URLSearchParams) {
  const wallet = await findWallet(caller.owner, readSignatureType(query));
  const asset = readAsset(query);
  await settleWallet(wallet);
  const userId = await findAccount(wallet);
  const approvals = await readApprovals(wallet);
  const exchanges = EXCHANGES.map((name) => getExchangeDomain(chainId(), name).verifyingContract);
  const spenders = [...exchanges, CONTRACT.negRiskCtfAdapter];
  const getAllowance = (spender: string) =>
    asset.kind === "collateral"
      ? approvals.getAllowance(spender)
      : approvals.getOperatorAllowance(asset.contract, spender);
  return {
    balance: String(userId === null ? 0n : await readAssetBalance(userId, asset)),
    allowances: Object.fromEntries(
      spenders.map((spender) => [spender, String(getAllowance(spender))]),
    ),
  };
}

/**
 * Serves `GET /balance-allowance/update`, which makes the venue read the chain again (polymarket.md 2.4). Here it
 * applies the wallet's relayed transactions that are due; balances are always current.
 */
export async function refreshBalance(caller: SandboxCaller, query: URLSearchParams): Promise<null> {
  const wallet = await findWallet(caller.owner, readSignatureType(query));
  readAsset(query);
  await settleWallet(wallet);
  return null;
}

/** Reads the signature type, which selects one of an owner's wallets. Throws 400. */
export function readSignatureType(query: URLSearchParams): SignatureType {
  const type = SignatureTypeText.safeParse(query.get("signature_type") ?? "0");
  if (type.success) return TYPES[type.data];
  throw new SandboxError(400, "Invalid signature_type");
}

function readAsset(query: URLSearchParams): Asset {
  const type = query.get("asset_type");
  if (type === "COLLATERAL") return { kind: "collateral" };
  if (type !== "CONDITIONAL" && type !== "CONDITIONAL-V2") {
    throw new SandboxError(400, "Invalid asset type");
  }
  const tokenId = query.get("token_id");
  if (!tokenId) throw new SandboxError(400, "assetId invalid value -1");
  const isV1 = type === "CONDITIONAL";
  const contract = isV1 ? CONTRACT.conditionalTokens : CONTRACT.positionManager;
  return { kind: "position", contract, tokenId };
}

async function readAssetBalance(userId: string, asset: Asset): Promise<bigint> {
  const db = await getDb();
  const account = await requireAccount(db, { userId, mode: "paper" });
  if (asset.kind === "collateral") return (await readCash(db, account)).owned;
  const { available, held } = await readShares(db, account, asset.tokenId);
  return available + held;
}
