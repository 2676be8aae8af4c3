import "server-only";
import { Interface, MaxUint256, type TransactionDescription, ZeroHash } from "ethers";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";

/** A call that a wallet makes: one item of a relayed transaction. */
export interface WalletCall {
  target: string;
  /** POL sent along. No call of ours sends any. */
  value: bigint;
  data: string;
}

/**
 * What a wallet can do with its collateral and positions (polymarket-wallets.md 4). Amounts are base
 * units of 1e-6. Condition ids are `0x` and 64 hex digits, those of Protocol V2 with a zero last byte.
 */
export type PositionCall =
  | { kind: "approve"; spender: string; amount: bigint }
  | { kind: "setOperator"; token: PositionToken; operator: string; isApproved: boolean }
  | { kind: "split" | "merge"; contract: PositionContract; conditionId: string; amount: bigint }
  /** Protocol V1: burns the wallet's whole balance of both outcomes. */
  | { kind: "redeem"; contract: Adapter; conditionId: string }
  /** Protocol V2: burns an amount of one outcome. */
  | { kind: "redeemOutcome"; conditionId: string; outcome: 0 | 1; amount: bigint };

/** Adapters of Protocol V1: one for binary markets, one for multi-outcome events. */
type Adapter = typeof CONTRACT.ctfAdapter | typeof CONTRACT.negRiskCtfAdapter;
export type PositionContract = Adapter | typeof CONTRACT.router;
/** The contracts that hold positions and know operators. */
type PositionToken = typeof CONTRACT.conditionalTokens | typeof CONTRACT.positionManager;

/** The amount that the official clients approve. */
export const UNLIMITED = MaxUint256;

const ABI = new Interface([
  "function approve(address spender, uint256 amount)",
  "function setApprovalForAll(address operator, bool approved)",
  "function splitPosition(address collateralToken, bytes32 parentCollectionId, bytes32 conditionId, uint256[] partition, uint256 amount)",
  "function mergePositions(address collateralToken, bytes32 parentCollectionId, bytes32 conditionId, uint256[] partition, uint256 amount)",
  "function redeemPositions(address collateralToken, bytes32 parentCollectionId, bytes32 conditionId, uint256[] indexSets)",
  "function split(bytes31 conditionId, uint256 amount)",
  "function merge(bytes31 conditionId, uint256 amount)",
  "function redeem(bytes31 conditionId, uint256 outcomeIndex, uint256 amount)",
]);
/** Both outcomes of a condition, as index sets. */
const BOTH_OUTCOMES = [1, 2];
const FULL_CONDITION = /^0x[0-9a-f]{62}00$/;
/** `0x` and 31 bytes. */
const SHORT_LENGTH = 64;

/** Encodes a call for its contract. Throws for a condition id that does not fit the Router. */
export function encodePositionCall(call: PositionCall): WalletCall {
  switch (call.kind) {
    case "approve":
      return encode(CONTRACT.collateral, "approve", [call.spender, call.amount]);
    case "setOperator":
      return encode(call.token, "setApprovalForAll", [call.operator, call.isApproved]);
    case "split":
    case "merge":
      return encodeSplitOrMerge(call);
    case "redeem":
      return encode(call.contract, "redeemPositions", listFixedArguments(call.conditionId));
    case "redeemOutcome": {
      const { conditionId, outcome, amount } = call;
      return encode(CONTRACT.router, "redeem", [shorten(conditionId), outcome, amount]);
    }
  }
}

function encodeSplitOrMerge({
  kind,
  contract,
  conditionId,
  amount,
}: Extract<PositionCall, { kind: "split" | "merge" }>): WalletCall {
  if (contract === CONTRACT.router) return encode(contract, kind, [shorten(conditionId), amount]);
  const name = kind === "split" ? "splitPosition" : "mergePositions";
  return encode(contract, name, [...listFixedArguments(conditionId), amount]);
}

const encode = (target: string, name: string, args: readonly unknown[]): WalletCall => ({
  target,
  value: 0n,
  data: ABI.encodeFunctionData(name, args),
});

const listFixedArguments = (conditionId: string) => [
  CONTRACT.collateral,
  ZeroHash,
  conditionId,
  BOTH_OUTCOMES,
];

function shorten(conditionId: string): string {
  if (!FULL_CONDITION.test(conditionId)) {
    throw new RangeError(`not a condition of Protocol V2: ${conditionId}`);
  }
  return conditionId.slice(0, SHORT_LENGTH);
}

/**
 * Decodes a call. Returns null for any other call: an unknown contract or function, a value, another
 * collateral or partition, and bytes that differ from the encoding of the decoded arguments.
 */
export function decodePositionCall({ target, value, data }: WalletCall): PositionCall | null {
  if (value !== 0n) return null;
  try {
    const parsed = ABI.parseTransaction({ data });
    const call = parsed && interpret(target.toLowerCase(), parsed);
    // The encoding is canonical, so a comparison also checks the fixed arguments and trailing bytes.
    return call && encodePositionCall(call).data === data.toLowerCase() ? call : null;
  } catch {
    // The data is not hex, or does not hold the function's arguments. Reading an argument throws too.
    return null;
  }
}

const ADAPTERS: readonly Adapter[] = [CONTRACT.ctfAdapter, CONTRACT.negRiskCtfAdapter];
const TOKENS: readonly PositionToken[] = [CONTRACT.conditionalTokens, CONTRACT.positionManager];

function interpret(target: string, parsed: TransactionDescription): PositionCall | null {
  const adapter = ADAPTERS.find((address) => address.toLowerCase() === target);
  if (adapter) return interpretForAdapter(adapter, parsed);
  const token = TOKENS.find((address) => address.toLowerCase() === target);
  if (token) return interpretForToken(token, parsed);
  if (target === CONTRACT.router.toLowerCase()) return interpretForRouter(parsed);
  if (target === CONTRACT.collateral.toLowerCase()) return interpretForCollateral(parsed);
  return null;
}

function interpretForCollateral({ name, args }: TransactionDescription): PositionCall | null {
  if (name !== "approve") return null;
  return { kind: "approve", spender: args["spender"], amount: args["amount"] };
}

function interpretForToken(
  token: PositionToken,
  { name, args }: TransactionDescription,
): PositionCall | null {
  if (name !== "setApprovalForAll") return null;
  return { kind: "setOperator", token, operator: args["operator"], isApproved: args["approved"] };
}

function interpretForAdapter(
  contract: Adapter,
  { name, args }: TransactionDescription,
): PositionCall | null {
  const conditionId: string = args["conditionId"];
  switch (name) {
    case "splitPosition":
      return { kind: "split", contract, conditionId, amount: args["amount"] };
    case "mergePositions":
      return { kind: "merge", contract, conditionId, amount: args["amount"] };
    case "redeemPositions":
      return { kind: "redeem", contract, conditionId };
    default:
      return null;
  }
}

function interpretForRouter({ name, args }: TransactionDescription): PositionCall | null {
  const conditionId = `${args["conditionId"]}00`;
  const amount: bigint = args["amount"];
  switch (name) {
    case "split":
    case "merge":
      return { kind: name, contract: CONTRACT.router, conditionId, amount };
    case "redeem": {
      const outcome: bigint = args["outcomeIndex"];
      if (outcome > 1n) return null;
      return { kind: "redeemOutcome", conditionId, outcome: outcome === 0n ? 0 : 1, amount };
    }
    default:
      return null;
  }
}
