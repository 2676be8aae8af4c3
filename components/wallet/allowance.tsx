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

/** The exchange's allowance. */
export function Allowance({ wallet }: { wallet: WalletWire }) {
  const { word, tone } = WORDS[wallet.allowanceState];
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {wallet.allowanceUsdc !== null && wallet.allowanceUsdc > 0 && (
        <ExactUsdc usdc={wallet.allowanceUsdc} />
      )}
      <Badge tone={tone}>{word}</Badge>
    </span>
  );
}

/** Explains a missing or insufficient allowance. */
export function AllowanceNotice({ state }: { state: WalletWire["allowanceState"] }) {
  if (state === "none") {
    return (
      <Callout tone="warn" title="The exchange can&rsquo;t spend your USDC.">
        <p>Buys are rejected until you approve an allowance.</p>
      </Callout>
    );
  }
  if (state !== "short") return null;
  return (
    <Callout tone="warn" title="Your allowance is lower than your cash.">
      <p>Buys above your allowance are rejected.</p>
    </Callout>
  );
}
