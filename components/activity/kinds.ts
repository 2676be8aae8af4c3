import { ArrowDownToLine, CircleMinus, CirclePlus, type LucideIcon, Trophy } from "lucide-react";

export type Kind = "deposit" | "buy" | "sell" | "claim";

export const KINDS: Readonly<Record<Kind, { label: string; icon: LucideIcon }>> = {
  deposit: { label: "Deposit", icon: ArrowDownToLine },
  buy: { label: "Buy", icon: CirclePlus },
  sell: { label: "Sell", icon: CircleMinus },
  claim: { label: "Claim", icon: Trophy },
};
