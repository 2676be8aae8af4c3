"use client";

import { ChevronDown } from "lucide-react";
import { ClaimForm, CUT_OFF_TEXT } from "@/app/(dashboard)/_positions/claim-form";
import {
  ComboNote,
  isClaiming,
  type PositionListProps,
} from "@/app/(dashboard)/_positions/position-parts";
import { formatMoney } from "@/components/format/numbers";
import { showTotals } from "@/components/format/sums";
import { DirectionValue, Money, Shares } from "@/components/format/values";
import { RefetchAccount } from "@/components/portfolio/refetch-account";
import { REDEMPTION_FALLBACKS } from "@/components/portfolio/redemption-focus";
import { MarketLine } from "@/components/portfolio/market-line";
import { PageModeField } from "@/components/shell/page-mode";
import { type FormAction, FormFailure, useActionForm } from "@/components/ui/action-form";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { SubmitButton } from "@/components/ui/submit-button";
import { useIsCutOff } from "@/lib/browser/freshness";
import { useFocusHandover } from "@/lib/browser/use-focus-handover";
import type { PositionWire } from "@/lib/browser/use-positions";
import { isCombo } from "@/lib/domain/combo";
import { computeTotals, isClosable } from "@/lib/domain/position-list";

interface WinsProps extends Pick<PositionListProps, "claim" | "claiming"> {
  /** Positions that won and that Ante can claim. */
  positions: readonly PositionWire[];
  /** Null if only the venue's own page can claim. */
  claimAll: FormAction | null;
  /** Positions that lost, which a claim of every win also closes. */
  lost: readonly PositionWire[];
}

/**
 * The account's unclaimed winnings, and the button that claims them all. On a phone the wins are listed here and
 * folded, because its first screen also shows open positions.
 */
export function Wins(props: WinsProps) {
  const { positions, claim, claimAll, claiming, lost } = props;
  if (positions.length === 0) return null;
  return (
    <section
      id="wins"
      tabIndex={-1}
      aria-label="Wins to claim"
      className="relative mb-2 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-card border border-up bg-[color-mix(in_oklab,var(--up)_12%,var(--surface))] px-3 sm:px-4 md:py-0.5"
    >
      <div className="min-w-0 flex-1 max-md:hidden print:block">
        <p className="text-heading">
          <WinsSentence {...props} />
        </p>
        {claimAll && lost.length > 0 && (
          <p className="text-small text-text-2">
            Claim all also closes {lost.length} lost {lost.length === 1 ? "position" : "positions"}:{" "}
            <DirectionValue usdc={showTotals(lost).pnl} /> realized.
          </p>
        )}
      </div>
      <details className="group w-full md:hidden print:hidden">
        {/* The text leaves space for the button, which is placed over this row. */}
        <summary
          className={`flex min-h-12 list-none flex-col justify-center ${claimAll ? "pr-25" : ""} [&::-webkit-details-marker]:hidden`}
        >
          <span className="font-[550]">
            <WinsSentence {...props} />
          </span>
          {/* The arrow is in the second line, because the sentence fills the first. */}
          <span className="flex items-center gap-1 text-small text-text-2">
            {claimAll && lost.length > 0 && (
              <span>
                Also closes {lost.length} lost: <DirectionValue usdc={showTotals(lost).pnl} />
              </span>
            )}
            <ChevronDown aria-hidden="true" className="size-4 group-open:rotate-180" />
          </span>
          <span className="sr-only">List of wins</span>
        </summary>
        <div className="-mx-3">
          <SettledList label="Wins" {...{ positions, claim, claiming }} />
        </div>
      </details>
      <ClaimWins
        isBusy={positions.every((one) => isClaiming({ claiming }, one))}
        claimAll={claimAll}
      />
    </section>
  );
}

/** "You won $12.30 on 2 markets." */
function WinsSentence({ positions }: Pick<WinsProps, "positions">) {
  const markets = new Set(positions.map(({ conditionId }) => conditionId)).size;
  return (
    <>
      You won <Money usdc={computeTotals(positions).value} /> on {markets}{" "}
      {markets === 1 ? "market" : "markets"}.
    </>
  );
}

interface ListProps extends Pick<PositionListProps, "positions" | "claim" | "claiming"> {
  label: string;
}

function SettledList({ label, positions, claim, claiming }: ListProps) {
  return (
    <ul aria-label={label} className="divide-y divide-border border-t border-border">
      {positions.map((position) => (
        <SettledPosition
          key={position.id}
          position={position}
          claim={claim}
          isClaiming={isClaiming({ claiming }, position)}
        />
      ))}
    </ul>
  );
}

interface SettledProps {
  position: PositionWire;
  claim: FormAction | null;
  isClaiming: boolean;
}

/** A position of a resolved market, with its button. A combo has none. */
function SettledPosition({ position, claim, isClaiming: isBusy }: SettledProps) {
  return (
    <li className="flex min-h-16 items-center gap-3 px-3 py-1">
      <span className="min-w-0 flex-1">
        <MarketLine
          title={position.marketTitle}
          slug={position.marketSlug}
          iconUrl={position.iconUrl}
        />
        {/* Below the title, not below the icon. */}
        <span className="num flex items-center gap-1.5 pl-8 text-small text-text-2">
          <Badge>{position.outcome}</Badge>
          <span>
            <Shares shares={position.shares} /> shares
          </span>
        </span>
      </span>
      {isCombo(position.id) ? (
        <ComboNote />
      ) : (
        claim && <ClaimForm position={position} action={claim} isClaiming={isBusy} />
      )}
    </li>
  );
}

interface ClaimWinsProps extends Pick<WinsProps, "claimAll"> {
  /** Whether a claim of every win is in progress. */
  isBusy: boolean;
}

function ClaimWins({ claimAll, isBusy }: ClaimWinsProps) {
  if (!claimAll) return <p className="text-text-2">Claim it on polymarket.com.</p>;
  if (!isBusy) {
    return (
      <ClaimAllForm
        action={claimAll}
        tone="primary"
        label="Claim all"
        pending="Claiming…"
        className={BESIDE_SUMMARY}
      />
    );
  }
  return (
    <Button isUnavailable aria-busy className={BESIDE_SUMMARY}>
      <Spinner /> Claiming…
    </Button>
  );
}

/** On a phone: in the row of the text that unfolds the list. */
const BESIDE_SUMMARY = "max-md:absolute max-md:top-1 max-md:right-3 print:static";

interface LostProps extends Pick<PositionListProps, "claim" | "claiming"> {
  positions: readonly PositionWire[];
  claimAll: FormAction | null;
  /** Whether no total above has their loss. */
  showsLoss: boolean;
}

/** "2 settled at $0.00" */
export const nameLost = ({ length }: readonly PositionWire[]) =>
  `${length} settled at ${formatMoney(0)}`;

/** Resolved positions that pay nothing, collapsed, with their loss. */
export function LostPositions({ positions, claim, claiming, claimAll, showsLoss }: LostProps) {
  if (positions.length === 0) return null;
  const closable = positions.filter(isClosable);
  return (
    <details data-printed="whole" className="border-t border-border">
      <summary className="flex min-h-11 flex-wrap content-center items-center gap-x-2 px-3 py-2 text-text-2 hover:text-text">
        <span className="underline decoration-dotted underline-offset-4">
          {nameLost(positions)}
        </span>
        <span>
          {showsLoss && (
            <>
              · <DirectionValue usdc={showTotals(positions).pnl} />{" "}
            </>
          )}
          Unrealized until you close them.
        </span>
      </summary>
      <SettledList label="Lost positions" {...{ positions, claim, claiming }} />
      {claimAll && closable.length > 1 && (
        <div className="flex justify-end border-t border-border px-3 py-2">
          <ClaimAllForm action={claimAll} tone="secondary" label="Close all" pending="Closing…" />
        </div>
      )}
    </details>
  );
}

interface FormProps {
  action: FormAction;
  tone: "primary" | "secondary";
  label: string;
  pending: string;
  className?: string;
}

/** Claims every win and closes every loss. */
function ClaimAllForm({ action, tone, label, pending, className = "" }: FormProps) {
  const { submit, failure } = useActionForm(action);
  const isCutOff = useIsCutOff();
  const handover = useFocusHandover({ kind: "claim-all", fallbacks: REDEMPTION_FALLBACKS });
  return (
    <form action={submit} className="contents">
      <PageModeField />
      <SubmitButton
        {...handover}
        tone={tone}
        pendingLabel={pending}
        isUnavailable={isCutOff}
        className={className}
      >
        {label}
      </SubmitButton>
      {isCutOff && <p className="w-full py-1 text-small text-text-2">{CUT_OFF_TEXT}</p>}
      {failure && (
        <div className="w-full py-1">
          <FormFailure failure={failure} />
          <RefetchAccount key={failure.message} />
        </div>
      )}
    </form>
  );
}
