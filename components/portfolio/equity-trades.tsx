import type { z } from "zod";
import { formatCount, formatPrice, formatShares } from "@/components/format/numbers";
import { Price, Shares } from "@/components/format/values";
import type { EquityCurve } from "@/lib/schemas/portfolio";

/** The trades of a curve, and the outcomes that they refer to. */
export type Traded = Pick<z.input<typeof EquityCurve>, "outcomes" | "trades">;

type PointTrades = Traded["trades"][number];

interface Props {
  traded: PointTrades;
  outcomes: Traded["outcomes"];
}

/** The largest trades up to a point, and how many fills are not among them. */
export function TradeLines({ traded, outcomes }: Props) {
  const more = countMore(traded);
  return (
    <>
      <p className="mt-1">{countWords(traded.fills)}</p>
      <ul>
        {listLargest(traded, outcomes).map(
          ({ key, action, shares, outcome, averagePrice, tickSize, marketTitle }) => (
            <li key={key} className="sm:flex sm:gap-1.5">
              <span className="block sm:shrink-0">
                {VERBS[action]} <Shares shares={shares} /> {outcome} at{" "}
                <Price price={averagePrice} tickSize={tickSize} isAverage />
              </span>
              <span className="block max-w-64 truncate opacity-80">{marketTitle}</span>
            </li>
          ),
        )}
      </ul>
      {more > 0 && <p>and {formatCount(more)} more</p>}
    </>
  );
}

/** 3 fills: Bought 120 Yes at 41¢, Will it rain?; and 1 more. Without shares if values are hidden. */
export function describeTrades(
  traded: PointTrades,
  outcomes: Traded["outcomes"],
  isHiding: boolean,
): string {
  const lines = listLargest(traded, outcomes).map(
    ({ action, shares, outcome, averagePrice, tickSize, marketTitle }) => {
      const size = isHiding ? "" : `${formatShares(shares)} `;
      const at = formatPrice(averagePrice, tickSize, 1);
      return `${VERBS[action]} ${size}${outcome} at ${at}, ${marketTitle}`;
    },
  );
  const more = countMore(traded);
  const rest = more > 0 ? [`and ${formatCount(more)} more`] : [];
  return `${countWords(traded.fills)}: ${[...lines, ...rest].join("; ")}`;
}

/** Returns the largest trades with their outcomes. */
function listLargest({ largest }: PointTrades, outcomes: Traded["outcomes"]) {
  return largest.flatMap(({ outcome: index, ...trade }) => {
    const outcome = outcomes[index];
    return outcome ? [{ key: `${index} ${trade.action}`, ...trade, ...outcome }] : [];
  });
}

const VERBS = { BUY: "Bought", SELL: "Sold" } as const;

const countWords = (fills: number) => (fills === 1 ? "1 fill" : `${formatCount(fills)} fills`);

const countMore = ({ fills, largest }: PointTrades) =>
  largest.reduce((left, one) => left - one.fills, fills);
