import "server-only";
import { type ChainId, CONTRACT } from "@/lib/polymarket/protocol/contracts";
import {
  decodePositionCall,
  encodePositionCall,
  type PositionCall,
  type PositionContract,
  UNLIMITED,
  type WalletCall,
} from "@/lib/polymarket/protocol/position-calls";
import {
  ADAPTERS,
  getPositionContract,
  listExchangesV1,
  listExchangesV2,
  type PositionMarket,
  ROUTER,
} from "@/lib/polymarket/protocol/position-contracts";
import { isPositionConditionId } from "@/lib/polymarket/protocol/position-id";

/** A market whose positions a transaction may split, merge or redeem. */
export interface PermittedMarket extends PositionMarket {
  /** `0x` and 64 hex digits in lower case. */
  conditionId: string;
}

/**
 * The purpose of a wallet transaction. Calls with another purpose are refused, except approvals of the
 * venue's own contracts in the form that Ante makes, and the end of any approval.
 */
export type CallPermit =
  | { kind: "approve" }
  /** The base units of each outcome that are redeemed. */
  | { kind: "redeem"; market: PermittedMarket; holdings: readonly [bigint, bigint] }
  | { kind: "split" | "merge"; market: PermittedMarket; amount: bigint };

/** More calls than any transaction of Ante has. */
const MAX_CALLS = 20;
/** The modules whose positions trade on the order book; the third one has combos. */
const BOOK_MODULES: readonly string[] = ["01", "02"];

/**
 * Checks that a wallet may sign these calls for this purpose (polymarket-wallets.md 8). Each call is
 * decoded, and only redeem, split, merge and approvals on the venue's contracts are allowed, never a
 * transfer or a withdrawal. Returns the calls encoded again from what was decoded, so that nothing else
 * can be signed. Throws an error that names the call by its position only.
 */
export function checkCalls(
  calls: readonly WalletCall[],
  permit: CallPermit,
  chainId: ChainId,
): WalletCall[] {
  if (calls.length === 0 || calls.length > MAX_CALLS) throw refusal("the number of calls");
  return calls.map((call, index) => {
    const decoded = decodePositionCall(call);
    if (!decoded || !isPermitted(decoded, permit, chainId)) throw refusal(`call ${index}`);
    return encodePositionCall(decoded);
  });
}

function isPermitted(call: PositionCall, permit: CallPermit, chainId: ChainId): boolean {
  switch (call.kind) {
    case "approve":
      return call.amount === 0n || isOwnApproval(call, chainId);
    case "setOperator":
      return !call.isApproved || listOperators(call.token, chainId).includes(call.operator);
    case "split":
    case "merge":
      return (
        permit.kind === call.kind &&
        call.amount > 0n &&
        call.amount === permit.amount &&
        isForMarket(call, permit.market)
      );
    case "redeem":
      return permit.kind === "redeem" && isForMarket(call, permit.market);
    case "redeemOutcome":
      return (
        permit.kind === "redeem" &&
        call.amount > 0n &&
        call.amount === permit.holdings[call.outcome] &&
        isForMarket({ ...call, contract: CONTRACT.router }, permit.market)
      );
  }
}

/**
 * Whether an approval is one that Ante makes. The venue allows any amount, but Ante makes only unlimited
 * ones, so another amount is a call that was changed.
 */
function isOwnApproval(
  { spender, amount }: Extract<PositionCall, { kind: "approve" }>,
  chainId: ChainId,
): boolean {
  return amount === UNLIMITED && listSpenders(chainId).includes(spender);
}

/** Whether a call names the market's condition and goes to the contract that holds its positions. */
function isForMarket(
  call: { contract: PositionContract; conditionId: string },
  market: PermittedMarket,
): boolean {
  return (
    call.conditionId === market.conditionId &&
    isBookCondition(market) &&
    call.contract === getPositionContract(market)
  );
}

const CONDITION_ID = /^0x[0-9a-f]{64}$/;

/** Whether a condition id belongs to the market's protocol, and is none of a combo. */
function isBookCondition({ conditionId, protocol }: PermittedMarket): boolean {
  if (!CONDITION_ID.test(conditionId)) return false;
  if (protocol === "v1") return !isPositionConditionId(conditionId);
  return isPositionConditionId(conditionId) && BOOK_MODULES.includes(conditionId.slice(2, 4));
}

/** The contracts that may spend collateral. The deposit of perpetuals is none of them. */
function listSpenders(chainId: ChainId): string[] {
  const exchanges = [...listExchangesV1(chainId), ...listExchangesV2(chainId)];
  return [...exchanges, ...ADAPTERS, ROUTER].map(({ address }) => address);
}

/** The contracts that may move the positions of a token contract. */
function listOperators(token: string, chainId: ChainId): string[] {
  const named =
    token === CONTRACT.positionManager
      ? [...listExchangesV2(chainId), ROUTER]
      : [...listExchangesV1(chainId), ...ADAPTERS];
  return [...named.map(({ address }) => address), CONTRACT.autoRedeemer];
}

const refusal = (what: string) => new Error(`the signer refuses: ${what}`);
