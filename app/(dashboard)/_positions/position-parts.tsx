import { formatPrice } from "@/components/format/numbers";
import { Money, Shares } from "@/components/format/values";
import { ClaimForm } from "@/app/(dashboard)/_positions/claim-form";
import type { FormAction } from "@/components/ui/action-form";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button";
import type { PositionWire } from "@/lib/browser/use-positions";

/** The position's outcome, and badges about its market. */
export function OutcomeBadges({ position }: { position: PositionWire }) {
  return (
    <span className="mt-1 flex flex-wrap items-center gap-1">
      <Badge>{position.outcome}</Badge>
      {position.negativeRisk && (
        <span title="One of several outcomes of its event, of which exactly one wins">
          <Badge tone="info">Multi-outcome</Badge>
        </span>
      )}
      {position.redeemable && (
        <Badge tone={position.value > 0 ? "up" : "neutral"}>
          {position.value > 0 ? "Won" : "Lost"}
        </Badge>
      )}
    </span>
  );
}

/** 40.0¢ → 62.5¢, both with the average's decimals, since the price is a midpoint. */
export function AverageToNow({ position, tick }: { position: PositionWire; tick: string }) {
  const average = formatPrice(position.avgPrice, tick, 1);
  const current = formatPrice(position.currentPrice, tick, 1);
  const spoken = (cents: string) => cents.replace("¢", " cents");
  return (
    <span
      role="img"
      aria-label={`average ${spoken(average)}, now ${spoken(current)}`}
      className="num whitespace-nowrap"
    >
      {average} <span className="text-text-3">→</span> {current}
    </span>
  );
}

/** The payout of a win: one dollar per share. */
export function ToWin({ position }: { position: PositionWire }) {
  return <Money usdc={position.redeemable ? position.value : position.shares} />;
}

interface ActionsProps {
  position: PositionWire;
  claim: FormAction;
}

/** Buttons to trade an open position, or to claim a resolved one. */
export function PositionActions({ position, claim }: ActionsProps) {
  if (position.redeemable) return <ClaimForm position={position} action={claim} />;
  const ticket = (side: "sell" | "buy") => `/trade?token=${position.id}&side=${side}`;
  const of = `${position.outcome}, ${position.marketTitle}`;
  return (
    <span className="flex justify-end gap-1.5">
      <ButtonLink
        size="small"
        className="max-lg:h-11"
        href={ticket("sell")}
        aria-label={`Sell ${of}`}
      >
        Sell
      </ButtonLink>
      <ButtonLink
        size="small"
        className="max-lg:h-11"
        href={ticket("buy")}
        aria-label={`Buy more ${of}`}
      >
        Buy more
      </ButtonLink>
    </span>
  );
}

export function SharesOf({ position }: { position: PositionWire }) {
  return (
    <>
      <Shares shares={position.shares} /> shares
    </>
  );
}
