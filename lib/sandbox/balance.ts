import "server-only";
import { z } from "zod";
import { getDb } from "@/lib/db/client";
import { readCash, readShares } from "@/lib/ledger/read-balances";
import { CONTRACT, getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import type { SignatureType } from "@/lib/polymarket/protocol/order-hash";
import { ensureAccount, findWallet } from "@/lib/sandbox/accounts";
import { chainId, type SandboxCaller } from "@/lib/sandbox/authenticate";
import { SandboxError } from "@/lib/sandbox/error";
import { requireAccount } from "@/lib/accounts/require-account";
import { EXCHANGES } from "@/lib/domain/protocol";

const SignatureTypeText = z.enum(["0", "1", "2", "3"]);
const TYPES = { "0": 0, "1": 1, "2": 2, "3": 3 } as const;

/**
 * Serves `GET /balance-allowance`: a wallet's balance, and the allowances of the exchanges and of the
 * adapter of multi-outcome events (polymarket.md 2.4), in base units.
 */
export async function readBalance(caller: SandboxCaller, query: URLSearchParams) {
  const userId = await ensureAccount(await findWallet(caller.owner, readSignatureType(query)));
  const db = await getDb();
  const account = await requireAccount(db, { userId, mode: "paper" });
  const balance = await readAssetBalance(query, account);
  const allowance = String(account.allowance ?? 0n);
  const exchanges = EXCHANGES.map((name) => getExchangeDomain(chainId(), name).verifyingContract);
  const spenders = [...exchanges, CONTRACT.negRiskCtfAdapter];
  return {
    balance: String(balance),
    allowances: Object.fromEntries(spenders.map((spender) => [spender, allowance])),
  };
}

/** Reads the signature type, which selects one of an owner's wallets. Throws 400. */
export function readSignatureType(query: URLSearchParams): SignatureType {
  const type = SignatureTypeText.safeParse(query.get("signature_type") ?? "0");
  if (type.success) return TYPES[type.data];
  throw new SandboxError(400, "Invalid signature_type");
}

async function readAssetBalance(
  query: URLSearchParams,
  account: Awaited<ReturnType<typeof requireAccount>>,
): Promise<bigint> {
  const db = await getDb();
  switch (query.get("asset_type")) {
    case "COLLATERAL":
      return (await readCash(db, account)).owned;
    case "CONDITIONAL":
    case "CONDITIONAL-V2": {
      const tokenId = query.get("token_id");
      if (!tokenId) throw new SandboxError(400, "assetId invalid value -1");
      const { available, held } = await readShares(db, account, tokenId);
      return available + held;
    }
    default:
      throw new SandboxError(400, "Invalid asset type");
  }
}
