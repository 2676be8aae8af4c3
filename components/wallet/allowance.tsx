import type { z } from "zod";
import { ExactUsdc } from "@/components/format/values";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Callout } from "@/components/ui/callout";
import type { Wallet } from "@/lib/schemas/wallet";

export type WalletWire = z.input<typeof Wallet>;

const WORDS: Record<WalletWire["allowanceState"], { word: string; tone: BadgeTone }> = {
  unknown: { word: "Unknown", tone: "neutral" },
  none: { word: "Nothing approved", tone: "warn" },
  short: { word: "Less than your cash", tone: "warn" },
  enough: { word: "Approved", tone: "up" },
  unlimited: { word: "Unlimited", tone: "up" },
};

/** What the exchange may spend, in words. */
export function Allowance({ wallet }: { wallet: WalletWire }) {
  const { word, tone } = WORDS[wallet.allowanceState];
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-2">
      {wallet.allowanceUsdc !== null && wallet.allowanceUsdc > 0 && (
        <ExactUsdc usdc={wallet.allowanceUsdc} />
      )}
      <Badge tone={tone}>{word}</Badge>
    </span>
  );
}

/** What an allowance that is in the way means. */
export function AllowanceNotice({ state }: { state: WalletWire["allowanceState"] }) {
  if (state === "none") {
    return (
      <Callout tone="warn" title="The exchange may not spend your USDC.">
        <p>Every buy is refused until an allowance is given.</p>
      </Callout>
    );
  }
  if (state !== "short") return null;
  return (
    <Callout tone="warn" title="The allowance is smaller than your cash.">
      <p>Buys beyond it are refused.</p>
    </Callout>
  );
}
