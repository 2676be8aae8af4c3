import {
  ArrowDownLeft,
  ArrowDownToLine,
  ArrowUpRight,
  CircleSlash,
  type LucideIcon,
  Merge,
  Split,
  Trophy,
} from "lucide-react";

export type Kind = "deposit" | "buy" | "sell" | "claim" | "split" | "merge";

/** A sale brings cash in, a purchase takes it out. */
const KIND_ICONS: Readonly<Record<Kind, LucideIcon>> = {
  deposit: ArrowDownToLine,
  buy: ArrowUpRight,
  sell: ArrowDownLeft,
  claim: Trophy,
  split: Split,
  merge: Merge,
};

/** Chooses a line's icon. A settled position that paid nothing has no trophy. */
export const chooseIcon = ({ kind, price }: { kind: Kind; price: number | null }): LucideIcon =>
  kind === "claim" && price === 0 ? CircleSlash : KIND_ICONS[kind];

/** The filters by type, in the order of their chips. */
export const TYPE_FILTERS = [
  { type: "deposit", label: "Deposits" },
  { type: "buy", label: "Buys" },
  { type: "sell", label: "Sells" },
  { type: "claim", label: "Payouts" },
  { type: "fee", label: "Fees" },
] as const;
