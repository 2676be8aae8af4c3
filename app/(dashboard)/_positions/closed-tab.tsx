import { z } from "zod";
import { ClosedPositionList, RealizedNote } from "@/components/portfolio/closed-positions";
import { buildClosedHref } from "@/components/portfolio/position-view";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { PageLinks } from "@/components/ui/page-links";
import { EmptyState, ErrorState } from "@/components/ui/states";
import type { Principal } from "@/lib/auth/principal";
import { AppError } from "@/lib/errors";
import { listClosedPositions } from "@/lib/portfolio/list-closed-positions";
import { ClosedPositions, type ClosedTotals } from "@/lib/schemas/portfolio";

interface Props {
  principal: Principal;
  /** Null in live mode. */
  totals: z.input<typeof ClosedTotals> | null;
  cursor: string | undefined;
  range: string;
}

/** The closed positions, a page at a time. */
export async function ClosedTab({ principal, totals, cursor, range }: Props) {
  const base = buildClosedHref(range);
  const read = await readPage(principal, cursor);
  return (
    <Card isFlush>
      {read === "ended" ? (
        <ErrorState
          headline="This page is no longer available."
          action={<ButtonLink href={base}>Show the newest positions</ButtonLink>}
        />
      ) : read === null ? (
        <EmptyState action={<ButtonLink href="/orders?tab=history">Order history</ButtonLink>}>
          Closed positions aren&rsquo;t available in live mode: Polymarket reports open positions
          only. Your order history lists this wallet&rsquo;s orders in Ante.
        </EmptyState>
      ) : read.positions.length === 0 ? (
        <EmptyState action={<ButtonLink href="/markets">Browse markets</ButtonLink>}>
          No closed positions yet. Sold and settled positions appear here with their P&amp;L.
        </EmptyState>
      ) : (
        <>
          <ClosedPositionList
            positions={read.positions}
            isPage={cursor !== undefined || read.nextCursor !== null}
          />
          {totals && <RealizedNote totals={totals} />}
          <PageLinks
            base={base}
            nextCursor={read.nextCursor}
            isFirst={cursor === undefined}
            newest="Newest positions"
            older="Older positions"
          />
        </>
      )}
    </Card>
  );
}

/** Returns "ended" for an invalid cursor. */
async function readPage(principal: Principal, cursor: string | undefined) {
  try {
    const page = await listClosedPositions(principal, { cursor });
    return page && z.encode(ClosedPositions, page);
  } catch (error) {
    if (error instanceof AppError && error.code === "INVALID_CURSOR") return "ended";
    throw error;
  }
}
