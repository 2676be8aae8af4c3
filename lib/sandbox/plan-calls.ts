import "server-only";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import type { PositionCall } from "@/lib/polymarket/protocol/position-calls";
import type { Approvals } from "@/lib/sandbox/wallet-approvals";
import { type Shares, shares } from "@/lib/units";
import { paperExchange } from "@/lib/venues";
import type { Market, PositionChange } from "@/lib/venue/port";

/** The calls of a transaction that change positions, in their order. Its approvals are already made. */
export type CallPlan =
  | { outcome: "planned"; changes: PositionChange[] }
  /** The contracts would undo the whole transaction. */
  | { outcome: "reverted"; reason: string };

/** No holding of the sandbox is larger. */
const MAX_SHARES = 2n ** 62n;

type PositionOnly = Exclude<PositionCall, { kind: "approve" | "setOperator" }>;

/** Goes through the calls as the contracts would, and applies their approvals to `approvals`. */
export async function planCalls(
  calls: readonly PositionCall[],
  approvals: Approvals,
): Promise<CallPlan> {
  const changes: PositionChange[] = [];
  for (const [index, call] of calls.entries()) {
    if (call.kind === "approve") {
      approvals.set(CONTRACT.collateral, call.spender, call.amount);
    } else if (call.kind === "setOperator") {
      approvals.set(call.token, call.operator, call.isApproved ? 1n : 0n);
    } else {
      const planned = await planChange(call, approvals);
      if (typeof planned === "string") {
        return { outcome: "reverted", reason: `execution reverted: call[${index}]: ${planned}` };
      }
      changes.push(...planned);
    }
  }
  return { outcome: "planned", changes };
}

/** Returns the changes of one call, or why it would be reverted. */
async function planChange(
  call: PositionOnly,
  approvals: Approvals,
): Promise<PositionChange[] | string> {
  const market = await paperExchange().findMarket(call.conditionId);
  const contract = call.kind === "redeemOutcome" ? CONTRACT.router : call.contract;
  if (!market || chooseContract(market) !== contract) return "condition not prepared";
  if (call.kind === "split") {
    if (approvals.getAllowance(contract) < call.amount) return "insufficient allowance";
    approvals.spend(contract, call.amount);
  } else if (!approvals.isOperator(getPositionToken(market), contract)) {
    return "need operator approval";
  }
  return toChanges(call, market);
}

function toChanges(call: PositionOnly, market: Market): PositionChange[] | string {
  if (call.kind === "redeem") {
    return ([0, 1] as const).map((outcome) => ({ kind: "redeem", market, outcome, shares: null }));
  }
  const amount = toShares(call.amount);
  if (amount === null) return "insufficient balance";
  if (call.kind !== "redeemOutcome") return [{ kind: call.kind, market, shares: amount }];
  return [{ kind: "redeem", market, outcome: call.outcome, shares: amount }];
}

const toShares = (amount: bigint): Shares | null => (amount > MAX_SHARES ? null : shares(amount));

/** Returns the contract that splits, merges and redeems a market's positions. */
function chooseContract({ protocol, isNegRisk }: Market): string {
  if (protocol === "v2") return CONTRACT.router;
  return isNegRisk ? CONTRACT.negRiskCtfAdapter : CONTRACT.ctfAdapter;
}

/** Returns the contract that holds a market's positions. */
export const getPositionToken = ({ protocol }: Market): string =>
  protocol === "v2" ? CONTRACT.positionManager : CONTRACT.conditionalTokens;
