"use client";

import { formatMoney, formatPrice, formatShares } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { useBookState, useLiveMarket } from "@/components/trading/order-book/live-market";
import { Card } from "@/components/ui/card";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { EmptyState } from "@/components/ui/states";

const CELL = "h-8 pr-3 text-right lg:h-7";

interface Props {
  /** Whether the market takes no more orders. Without trades, its tape stays empty and isn't shown. */
  isClosed?: boolean;
}

/** The market's last trades by Ante's users, without names. It follows the stream. */
export function TradeTape({ isClosed = false }: Props) {
  const { trades, live } = useBookState(useLiveMarket());
  if (isClosed && trades.length === 0) return null;
  return (
    <Card title="Trades" isFlush>
      {trades.length === 0 ? (
        <EmptyState>No trades by Ante users yet.</EmptyState>
      ) : (
        <ScrollRegion
          label="Recent trades"
          className="relative max-h-72 overflow-y-auto rounded-b-card"
        >
          <table className="w-full text-small">
            <caption className="sr-only">
              Recent trades, newest first, shown from the taker&rsquo;s side
            </caption>
            <thead className="sticky top-0 bg-surface">
              <tr className="text-caption text-text-3">
                <th scope="col" className="h-7 pl-3 text-left sm:pl-4">
                  Trade
                </th>
                <th scope="col" className={CELL}>
                  Price
                </th>
                <th scope="col" className={CELL}>
                  Shares
                </th>
                <th scope="col" className={CELL}>
                  Time
                </th>
              </tr>
            </thead>
            <tbody>
              {trades.map((trade) => (
                <tr key={trade.id} className="border-t border-border">
                  <td className="max-w-20 truncate pl-3 sm:pl-4">
                    <span className={trade.action === "BUY" ? "text-up" : "text-down"}>
                      {trade.action === "BUY" ? "Buy" : "Sell"}
                    </span>{" "}
                    {trade.outcome}
                  </td>
                  <td className={CELL}>{formatPrice(trade.price, live.book.tickSize)}</td>
                  <td className={CELL} title={formatMoney(trade.value)}>
                    {formatShares(trade.shares)}
                  </td>
                  <td className={`${CELL} text-text-2`}>
                    <TimeStamp at={trade.at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </Card>
  );
}
