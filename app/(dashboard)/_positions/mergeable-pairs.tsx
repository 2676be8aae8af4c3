import { z } from "zod";
import { readAccountFigures } from "@/app/_lib/read-account-figures";
import { mergeAction } from "@/app/(dashboard)/_positions/actions";
import { MergeForm } from "@/app/(dashboard)/_positions/merge-form";
import { MarketLine } from "@/components/portfolio/market-line";
import type { Principal } from "@/lib/auth/principal";
import { newId } from "@/lib/ids";
import { listPairs } from "@/lib/portfolio/list-pairs";
import { MergeablePairs as Pairs } from "@/lib/schemas/portfolio";
import { explainNoRelay } from "@/lib/wallet-transactions/require-relay";

interface Props {
  principal: Principal;
  /** The id of the last merge, so that the next form has a key of its own. */
  merged?: string | undefined;
  /** The only market to look at; on its own page, which names it. */
  marketId?: string;
}

/** The pairs that the account can merge into dollars; nothing without any, or if Ante can't merge them. */
export async function MergeablePairs({ principal, merged = "", marketId }: Props) {
  const read = await readAccountFigures(principal);
  if (!read.isKnown) return null;
  const { positions } = read.value.portfolio;
  const pairs = await listPairs(
    principal,
    positions.filter(({ conditionId }) => marketId === undefined || conditionId === marketId),
  );
  if (pairs.length === 0) return null;
  if (principal.mode === "live" && (await explainNoRelay(principal.userId)) !== null) return null;
  return (
    // Paper has the positions, and can't merge them.
    <section aria-label="Pairs to merge" className="mb-2 card divide-y divide-border print:hidden">
      {pairs.map((each) => {
        const wire = z.encode(Pairs, each);
        return (
          <div
            key={`${each.marketId}/${wire.shares}/${merged}`}
            className="flex flex-col gap-x-3 px-3 py-1 sm:px-4 lg:flex-row lg:items-start"
          >
            {marketId === undefined ? (
              <span className="flex min-h-11 min-w-0 items-center">
                <MarketLine
                  title={each.marketTitle}
                  slug={each.marketSlug}
                  iconUrl={each.iconUrl}
                />
              </span>
            ) : (
              <p className="flex items-center text-text-2 lg:min-h-11">
                You hold both outcomes of this market.
              </p>
            )}
            <MergeForm pairs={wire} action={mergeAction} formKey={newId("auto")} />
          </div>
        );
      })}
    </section>
  );
}
