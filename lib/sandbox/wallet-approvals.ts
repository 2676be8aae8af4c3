import "server-only";
import { getDb } from "@/lib/db/client";
import { type ApprovalRow, selectApprovals } from "@/lib/db/queries/sandbox-transactions";
import { env } from "@/lib/env";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { UNLIMITED } from "@/lib/polymarket/protocol/position-calls";

/** What a wallet allows contracts to spend. */
export class Approvals {
  readonly #rows = new Map<string, ApprovalRow>();

  constructor(
    readonly wallet: string,
    rows: readonly ApprovalRow[],
  ) {
    for (const row of rows) this.#rows.set(toKey(row.token, row.spender), row);
  }

  /** The amount of collateral that a contract may spend; unlimited without strict rules. */
  getAllowance(spender: string): bigint {
    return this.#get(CONTRACT.collateral, spender) ?? (isOpen() ? UNLIMITED : 0n);
  }

  /** Whether a contract may move the positions that a token contract holds. */
  isOperator(token: string, spender: string): boolean {
    return (this.#get(token, spender) ?? (isOpen() ? 1n : 0n)) > 0n;
  }

  /** What a contract may move of the positions of a token contract: everything, or nothing. */
  getOperatorAllowance(token: string, spender: string): bigint {
    return this.isOperator(token, spender) ? UNLIMITED : 0n;
  }

  set(token: string, spender: string, amount: bigint): void {
    const [lower, by] = [token.toLowerCase(), spender.toLowerCase()];
    const row = { wallet: this.wallet, token: lower, spender: by, amount };
    this.#rows.set(toKey(lower, by), row);
  }

  /** Lowers a limited allowance, as the collateral's contract does. */
  spend(spender: string, amount: bigint): void {
    const allowance = this.getAllowance(spender);
    if (allowance !== UNLIMITED) this.set(CONTRACT.collateral, spender, allowance - amount);
  }

  listRows(): ApprovalRow[] {
    return [...this.#rows.values()];
  }

  #get(token: string, spender: string): bigint | null {
    return this.#rows.get(toKey(token.toLowerCase(), spender.toLowerCase()))?.amount ?? null;
  }
}

const toKey = (token: string, spender: string) => `${token}/${spender}`;
const isOpen = () => env().SANDBOX_RULES === "open";

export async function readApprovals(wallet: string): Promise<Approvals> {
  return new Approvals(wallet.toLowerCase(), await selectApprovals(await getDb(), wallet));
}
