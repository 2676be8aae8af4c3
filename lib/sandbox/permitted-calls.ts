import "server-only";
import { CONTRACT, getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import {
  decodePositionCall,
  type PositionCall,
  type WalletCall,
} from "@/lib/polymarket/protocol/position-calls";
import { EXCHANGES } from "@/lib/domain/protocol";
import { chainId } from "@/lib/sandbox/authenticate";
import { SandboxError } from "@/lib/sandbox/error";

/** The contracts that a wallet may approve. Those of the older client's migration are not among them. */
function listSpenders(): string[] {
  const exchanges = EXCHANGES.map((name) => getExchangeDomain(chainId(), name).verifyingContract);
  const { ctfAdapter, negRiskCtfAdapter, router, autoRedeemer, perpsDeposit } = CONTRACT;
  return [...exchanges, ctfAdapter, negRiskCtfAdapter, router, autoRedeemer, perpsDeposit];
}

/**
 * Decodes the calls of a transaction. Throws 400 for a call that the relayer does not pass on, in the
 * venue's words as far as they are known (polymarket-wallets.md 2.2). The venue's own list of calls is
 * not published.
 */
export function requirePermittedCalls(
  wallet: string,
  calls: readonly WalletCall[],
): PositionCall[] {
  const spenders = new Set(listSpenders().map((address) => address.toLowerCase()));
  return calls.map((call, index) => {
    if (call.target.toLowerCase() === wallet.toLowerCase()) {
      throw createBlocked(index, "self-call is not permitted");
    }
    const decoded = decodePositionCall(call);
    if (!decoded) throw createBlocked(index, `calls to ${call.target} are not permitted`);
    const spender = getSpender(decoded);
    if (spender && !spenders.has(spender.toLowerCase())) {
      throw createBlocked(index, `operator ${spender} is not permitted`);
    }
    return decoded;
  });
}

function getSpender(call: PositionCall): string | null {
  if (call.kind === "approve") return call.spender;
  return call.kind === "setOperator" ? call.operator : null;
}

const createBlocked = (index: number, reason: string) =>
  new SandboxError(400, `call blocked: call[${index}] blocked: ${reason}`);
