import { showPositions } from "@/app/(dashboard)/_positions/show-positions";
import type { LoadedMarket } from "@/app/(dashboard)/markets/[slug]/load";
import { TimeStamp } from "@/components/format/time-stamp";
import { Money, Shares } from "@/components/format/values";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";

/** What takes the ticket's place once trading is over: the result, and what it is worth to you. */
export async function Outcome({ loaded }: { loaded: LoadedMarket }) {
  const { detail, session } = loaded;
  if (detail.status === "closed") {
    return (
      <Callout tone="warn" title="Trading has ended">
        The result is expected from <TimeStamp at={detail.resolvesAt} isRelative={false} /> on.
      </Callout>
    );
  }
  const winner = detail.outcomes.find(({ tokenId }) => tokenId === detail.winningTokenId);
  const positions = await showPositions(session.principal);
  const held = positions?.filter(({ conditionId }) => conditionId === detail.id);
  const won = held?.find(({ id }) => id === detail.winningTokenId);
  return (
    <Callout
      tone={won ? "success" : "info"}
      title={
        <>
          Resolved {winner?.name} · <TimeStamp at={detail.resolvesAt} isRelative={false} />
        </>
      }
    >
      <div className="mt-1 flex flex-wrap items-center justify-between gap-3">
        {won ? (
          <>
            <p>
              Your <Shares shares={won.shares} /> {won.outcome} shares pay{" "}
              <Money usdc={won.value} />.
            </p>
            <ButtonLink href="/?filter=redeemable" tone="primary">
              Claim <Money usdc={won.value} />
            </ButtonLink>
          </>
        ) : (
          <p className="text-text-2">{lostText(held?.length)}</p>
        )}
      </div>
    </Callout>
  );
}

function lostText(held: number | undefined): string {
  if (held === undefined) return "What you hold can't be shown right now.";
  return held > 0
    ? "Your shares of the other outcome pay nothing."
    : "You hold no shares of this market.";
}
