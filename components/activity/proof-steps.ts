import type { z } from "zod";
import { formatCount } from "@/components/format/numbers";
import { addExactly, showProof } from "@/components/format/sums";
import type { LedgerProof } from "@/lib/schemas/ledger-proof";
import type { Mode } from "@/lib/venue/port";

export type LedgerProofWire = z.input<typeof LedgerProof>;

/** A row of the proof: money that came in or went out, or a total. */
export interface ProofStep {
  name: string;
  /** Its content. */
  note: string;
  /** The page with its lines; null for a rounding, which has none. */
  href: string | null;
  kind: "flow" | "total";
  /** To the nearest cent. Flows add up to the next total, because a rounding has the cents that are left. */
  shown: number;
  exact: number;
}

/** Lists the steps from the first deposit to the account's value. */
export function listProofSteps(proof: LedgerProofWire, mode: Mode): ProofStep[] {
  const flows = listFlows(proof, mode);
  const { cashUsdc, reservedUsdc, positionsUsdc, positions, totalUsdc } = proof;
  const shown = showProof({
    flows: flows.map(({ exact }) => exact),
    cashUsdc,
    positionsUsdc,
    totalUsdc,
  });
  return [
    ...flows.map((flow, at) => ({
      ...flow,
      kind: "flow" as const,
      shown: shown.flows[at] ?? 0,
    })),
    ...listRounding("Cash rounding", shown.flowsRounding),
    {
      name: "Cash",
      note: reservedUsdc > 0 ? "Available, and reserved by open buys" : "Available for orders",
      href: mode === "live" ? "/wallet" : "/activity",
      kind: "total",
      shown: shown.cash,
      exact: cashUsdc,
    },
    {
      name: "Positions",
      note: `${count(positions, "position")}, at current prices`,
      href: "/",
      kind: "flow",
      shown: shown.positions,
      exact: positionsUsdc,
    },
    ...listRounding("Value rounding", shown.totalRounding),
    {
      name: "Portfolio value",
      note: "Cash and positions",
      href: "/",
      kind: "total",
      shown: shown.total,
      exact: totalUsdc,
    },
  ];
}

/** The step of the cents that are left between rounded amounts and their rounded total, if any. */
function listRounding(name: string, shown: number): ProofStep[] {
  if (shown === 0) return [];
  const note = "Each amount is rounded to the nearest cent";
  return [{ name, note, href: null, kind: "flow", shown, exact: 0 }];
}

type Flow = Pick<ProofStep, "name" | "note" | "href" | "exact">;

/** A live wallet has no statement, so its trades lead to the order history. */
function listFlows(proof: LedgerProofWire, mode: Mode): Flow[] {
  const { deposits, bought, sold, fees, payouts, outsideUsdc } = proof;
  const link = (type: string) =>
    mode === "live" ? "/orders?tab=history" : `/activity?type=${type}&exact=1`;
  const trades: Flow[] = [
    {
      name: "Bought",
      note: `${count(bought.events, "trade")}, before fees`,
      href: link("buy"),
      exact: bought.amountUsdc,
    },
    {
      name: "Sold",
      note: `${count(sold.events, "trade")}, before fees`,
      href: link("sell"),
      exact: sold.amountUsdc,
    },
    {
      name: "Fees",
      note: `on ${count(fees.events, "trade")}`,
      href: link("fee"),
      exact: fees.amountUsdc,
    },
  ];
  if (outsideUsdc !== null) {
    // The ledger of a live account has no deposits or payouts: they happen in the wallet.
    const outside = addExactly(outsideUsdc, addExactly(deposits.amountUsdc, payouts.amountUsdc));
    return [
      ...trades,
      {
        name: "Outside Ante",
        note: "Deposits, withdrawals and payouts that Ante has no record of",
        href: "/wallet",
        exact: outside,
      },
    ];
  }
  return [
    {
      name: "Deposits",
      note: count(deposits.events, "deposit"),
      href: link("deposit"),
      exact: deposits.amountUsdc,
    },
    ...trades,
    {
      name: "Payouts",
      note: count(payouts.events, "resolved position"),
      href: link("claim"),
      exact: payouts.amountUsdc,
    },
  ];
}

const count = (number: number, noun: string) =>
  `${formatCount(number)} ${noun}${number === 1 ? "" : "s"}`;
