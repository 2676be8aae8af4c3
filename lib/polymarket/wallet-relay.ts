import "server-only";
import { env } from "@/lib/env";
import { readChain, type ChainRead } from "@/lib/polymarket/chain";
import { asRemoteMarket } from "@/lib/polymarket/markets";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { SIGNATURE_TYPE } from "@/lib/polymarket/protocol/order-hash";
import {
  encodePositionCall,
  type PositionCall,
  UNLIMITED,
} from "@/lib/polymarket/protocol/position-calls";
import { getPositionContract } from "@/lib/polymarket/protocol/position-contracts";
import {
  findByNonce,
  getBuilderCredentials,
  getNonce,
  getTransaction,
  submit,
} from "@/lib/polymarket/relayer";
import { proveExecution } from "@/lib/polymarket/prove-execution";
import { listApprovals, type NeededApproval } from "@/lib/polymarket/wallet-approvals";
import { complement, larger, notional, shares, smaller } from "@/lib/units";
import type { Market } from "@/lib/venue/port";
import type {
  ClaimedPosition,
  PreparedAction,
  RelayedWallet,
  WalletAction,
  WalletRelay,
} from "@/lib/venue/wallet-relay";

const explainUnavailable: WalletRelay["explainUnavailable"] = (signatureType) => {
  if (signatureType === SIGNATURE_TYPE.eoa) {
    return "A plain wallet pays its own network fees, so Ante can't do this for it. Use polymarket.com.";
  }
  if (!getBuilderCredentials() || env().POLYGON_RPC_URL === undefined) {
    return "This server isn't set up to send wallet transactions. Use polymarket.com.";
  }
  return null;
};

const prepare: WalletRelay["prepare"] = (wallet, action) => {
  switch (action.kind) {
    case "redeem":
      return prepareClaim(wallet, action.market);
    case "split":
    case "merge":
      return prepareSplitOrMerge(wallet, action);
    case "approve":
      return prepareApprovals(wallet);
  }
};

async function prepareClaim(wallet: RelayedWallet, market: Market): Promise<PreparedAction> {
  const { firstPayout, state } = asRemoteMarket(market);
  if (state.status !== "resolved" || firstPayout === null) return { outcome: "not_resolved" };
  const operator = findOperatorApproval(market);
  const { holdings, missing } = await readMarket(wallet, market, operator);
  const payouts = [firstPayout, complement(firstPayout)] as const;
  const claims = market.outcomes.flatMap(({ tokenId }, index): ClaimedPosition[] => {
    const [held, payout] = [holdings[index] ?? 0n, payouts[index] ?? 0n];
    if (held === 0n) return [];
    const size = shares(held);
    return [
      { tokenId, shares: size, payout: notional(size, payout as typeof firstPayout, "down") },
    ];
  });
  if (claims.length === 0) return { outcome: "nothing_to_do" };
  return ready([...missing, ...listRedeemCalls(market, holdings)], claims);
}

/** Protocol V1 redeems both outcomes with one call, Protocol V2 each one with a call of its own. */
function listRedeemCalls(market: Market, holdings: readonly [bigint, bigint]): PositionCall[] {
  const { id: conditionId } = market;
  const contract = getPositionContract(market);
  if (contract !== CONTRACT.router) return [{ kind: "redeem", contract, conditionId }];
  return ([0, 1] as const).flatMap((outcome): PositionCall[] => {
    const amount = holdings[outcome];
    return amount === 0n ? [] : [{ kind: "redeemOutcome", conditionId, outcome, amount }];
  });
}

async function prepareSplitOrMerge(
  wallet: RelayedWallet,
  { kind, market, shares: amount, reserved }: Extract<WalletAction, { kind: "split" | "merge" }>,
): Promise<PreparedAction> {
  const contract = getPositionContract(market);
  const approval = kind === "split" ? findSpendingApproval(market) : findOperatorApproval(market);
  const { cash, holdings, missing } = await readMarket(wallet, market, approval, amount);
  const [first, second] = [
    holdings[0] - reserved.shares[0],
    holdings[1] - reserved.shares[1],
  ] as const;
  const available = larger(0n, kind === "split" ? cash - reserved.cash : smaller(first, second));
  if (available < amount) return { outcome: "insufficient", available };
  return ready([...missing, { kind, contract, conditionId: market.id, amount }]);
}

async function prepareApprovals(wallet: RelayedWallet): Promise<PreparedAction> {
  const needed = listApprovals();
  const granted = await readChain(needed.map((approval) => toRead(wallet, approval)));
  const missing = needed.filter((approval, index) => !isGiven(approval, granted[index] ?? 0n));
  return missing.length === 0 ? { outcome: "nothing_to_do" } : ready(missing.map(toCall));
}

const readApprovals: WalletRelay["readApprovals"] = async (wallet) => {
  const needed = listApprovals();
  const granted = await readChain(needed.map((approval) => toRead(wallet, approval)));
  return needed.map(({ asset, spender, spenderAddress, purpose }, index) => {
    const amount = granted[index] ?? 0n;
    const allowance = asset === "usdc" ? amount : null;
    const isSet = isGiven({ asset }, amount);
    return { asset, spender, spenderAddress, purpose, isSet, allowance };
  });
};

/**
 * Whether an approval lasts for all trading. As for the official client, a limited allowance of USDC is
 * none: trading uses it up.
 */
const isGiven = ({ asset }: Pick<NeededApproval, "asset">, granted: bigint): boolean =>
  asset === "usdc" ? granted >= UNLIMITED : granted > 0n;

/** Reads cash, both balances of a market, and whether an approval covers an amount. */
async function readMarket(
  wallet: RelayedWallet,
  market: Market,
  approval: NeededApproval,
  amount = 1n,
): Promise<{ cash: bigint; holdings: [bigint, bigint]; missing: PositionCall[] }> {
  const isV2 = market.protocol === "v2";
  const token = isV2 ? CONTRACT.positionManager : CONTRACT.conditionalTokens;
  const [cash = 0n, first = 0n, second = 0n, granted = 0n] = await readChain([
    { contract: CONTRACT.collateral, function: "balanceOf(address)", args: [wallet.funderAddress] },
    ...market.outcomes.map(({ tokenId }): ChainRead => ({
      contract: token,
      function: "balanceOf(address,uint256)",
      args: [wallet.funderAddress, BigInt(tokenId)],
    })),
    toRead(wallet, approval),
  ]);
  const isMissing = approval.asset === "usdc" ? granted < amount : granted === 0n;
  return { cash, holdings: [first, second], missing: isMissing ? [toCall(approval)] : [] };
}

function toRead({ funderAddress }: RelayedWallet, approval: NeededApproval): ChainRead {
  const { asset, contract, spenderAddress } = approval;
  return {
    contract,
    function: asset === "usdc" ? "allowance(address,address)" : "isApprovedForAll(address,address)",
    args: [funderAddress, spenderAddress],
  };
}

function toCall({ asset, spenderAddress }: NeededApproval): PositionCall {
  if (asset === "usdc") return { kind: "approve", spender: spenderAddress, amount: UNLIMITED };
  const token = asset === "shares_v2" ? CONTRACT.positionManager : CONTRACT.conditionalTokens;
  return { kind: "setOperator", token, operator: spenderAddress, isApproved: true };
}

const ready = (calls: readonly PositionCall[], claims: ClaimedPosition[] = []) =>
  ({ outcome: "ready", calls: calls.map(encodePositionCall), claims }) as const;

/** The approval with which the market's contract takes USDC. */
const findSpendingApproval = (market: Market) => findApproval(market, (asset) => asset === "usdc");
/** The approval with which the market's contract takes shares. */
const findOperatorApproval = (market: Market) => findApproval(market, (asset) => asset !== "usdc");

function findApproval(
  market: Market,
  isMeant: (asset: NeededApproval["asset"]) => boolean,
): NeededApproval {
  const contract = getPositionContract(market);
  const found = listApprovals().find(
    ({ asset, spenderAddress }) => spenderAddress === contract && isMeant(asset),
  );
  if (!found) throw new RangeError("every contract of positions is in the list of approvals");
  return found;
}

/** Polymarket's relayer, and the chain that its transactions change. */
export const polymarketRelay: WalletRelay = {
  explainUnavailable,
  prepare,
  readApprovals,
  getNonce,
  submit,
  getTransaction,
  findByNonce,
  proveExecution,
};
