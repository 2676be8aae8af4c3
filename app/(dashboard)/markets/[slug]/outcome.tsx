import type { ComponentProps } from "react";
import { z } from "zod";
import { claimOnMarketAction } from "@/app/(dashboard)/_positions/actions";
import { showPositions } from "@/app/(dashboard)/_positions/show-positions";
import type { LoadedMarket } from "@/app/(dashboard)/markets/[slug]/load";
import { addExactly } from "@/components/format/sums";
import { writeApostrophes } from "@/components/format/typographic";
import { TimeStamp } from "@/components/format/time-stamp";
import { Money, Shares } from "@/components/format/values";
import {
  HeldResult,
  SettledHoldings,
  sumTrades,
} from "@/components/trading/position/settled-holdings";
import { PageModeField } from "@/components/shell/page-mode";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { SubmitButton } from "@/components/ui/submit-button";
import { ERROR_GUIDE, isErrorCode } from "@/lib/domain/error-guide";
import { listMarketRedemptions } from "@/lib/portfolio/find-redemption";
import { readHeldTrades } from "@/lib/portfolio/read-held-trades";
import { RedemptionReceipt, TradedSums } from "@/lib/schemas/portfolio";
import { explainNoRelay } from "@/lib/wallet-transactions/require-relay";

interface Props {
  loaded: LoadedMarket;
  /** How a claim on this page ended, from the URL: it was paid, or its error's code. */
  claim: { isPaid: boolean; problem: string | undefined };
}

/** Replaces the ticket after the market's close: the result, and what the account holds or was paid. */
export async function Outcome({ loaded, claim: { isPaid, problem } }: Props) {
  const { detail, session } = loaded;
  if (detail.untradableReason !== null && detail.status === "closed") {
    return (
      <Callout tone="warn" title="Not tradable on Ante">
        {detail.untradableReason}
      </Callout>
    );
  }
  if (detail.status === "closed") {
    return (
      <Callout tone="warn" title="Trading has ended">
        Result expected after <TimeStamp at={detail.resolvesAt} isRelative={false} />.
      </Callout>
    );
  }
  const winner = detail.outcomes.find(({ tokenId }) => tokenId === detail.winningTokenId);
  const { principal } = session;
  const [positions, trades, noClaim, redemptions] = await Promise.all([
    showPositions(principal),
    readHeldTrades(
      principal,
      detail.outcomes.map(({ tokenId }) => tokenId),
    ),
    principal.mode === "live" ? explainNoRelay(principal.userId) : null,
    listMarketRedemptions(principal, detail),
  ]);
  const held = positions
    ?.filter(({ conditionId }) => conditionId === detail.id)
    .map((position) => {
      const traded = trades.get(position.id);
      return { ...position, traded: traded ? z.encode(TradedSums, traded) : null };
    });
  // Without a winner, both outcomes pay the same.
  const isSplit = detail.winningTokenId === null;
  const paid = held?.filter(({ id }) => isSplit || id === detail.winningTokenId) ?? [];
  const [first] = paid;
  const value = paid.reduce((sum, position) => addExactly(sum, position.value), 0);
  const receipts = redemptions.map((each) => z.encode(RedemptionReceipt, each));
  const payout = receipts.reduce((sum, { payoutUsdc }) => addExactly(sum, payoutUsdc), 0);
  return (
    <Callout
      tone={first || payout > 0 ? "success" : "info"}
      role={isPaid ? "status" : "note"}
      title={
        <>
          <span className="text-heading">
            {isPaid && payout > 0 && (
              <>
                Claimed <Money usdc={payout} /> ·{" "}
              </>
            )}
            Resolved: {winner?.name ?? "50/50"}
          </span>
          <span className="font-normal text-text-2">
            {" · "}
            <TimeStamp at={detail.resolvesAt} isRelative={false} />
          </span>
        </>
      }
    >
      <div className="mt-1 flex flex-wrap items-center justify-between gap-3">
        {first ? (
          <>
            <p>
              {isSplit ? (
                <>
                  Your shares pay $0.50 each: <Money usdc={value} />.
                </>
              ) : (
                <>
                  Your <Shares shares={first.shares} /> {first.outcome} shares pay{" "}
                  <Money usdc={value} />.
                </>
              )}{" "}
              <span className="text-text-2">
                {/* Of both sides: shares that pay nothing had their cost, too. */}
                <HeldResult position={sumHeld(held ?? [])} />
              </span>
            </p>
            {noClaim !== null ? (
              <p className="text-text-2">Claim it on polymarket.com.</p>
            ) : principal.mode === "paper" ? (
              <ClaimHere slug={detail.slug} ids={paid.map(({ id }) => id)} value={value} />
            ) : (
              <ButtonLink href="/" tone="primary">
                Claim <Money usdc={value} /> on Portfolio
              </ButtonLink>
            )}
          </>
        ) : (
          <SettledHoldings redemptions={receipts} held={held ?? null} mode={principal.mode} />
        )}
      </div>
      {problem !== undefined && isErrorCode(problem) && first && (
        <p role="alert" className="mt-2 text-danger">
          The claim failed. {writeApostrophes(ERROR_GUIDE[problem].meaning)}
        </p>
      )}
    </Callout>
  );
}

interface ClaimHereProps {
  slug: string;
  /** The positions that pay. */
  ids: readonly string[];
  value: number;
}

/** Claims the payout at once. A live claim takes longer, so the portfolio follows it. */
function ClaimHere({ slug, ids, value }: ClaimHereProps) {
  return (
    <form action={claimOnMarketAction}>
      <PageModeField />
      <input type="hidden" name="slug" value={slug} />
      {ids.map((id) => (
        <input key={id} type="hidden" name="positionId" value={id} />
      ))}
      <SubmitButton tone="primary" pendingLabel="Claiming…">
        Claim <Money usdc={value} />
      </SubmitButton>
    </form>
  );
}

/** Adds up the positions of both outcomes: their value, profit and trades. */
function sumHeld(held: readonly ComponentProps<typeof HeldResult>["position"][]) {
  return {
    value: held.reduce((sum, { value }) => addExactly(sum, value), 0),
    pnl: held.reduce((sum, { pnl }) => addExactly(sum, pnl), 0),
    traded: sumTrades(held),
  };
}
