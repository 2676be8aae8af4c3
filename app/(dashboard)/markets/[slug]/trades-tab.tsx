import { z } from "zod";
import type { LoadedMarket } from "@/app/(dashboard)/markets/[slug]/load";
import { formatMoney, formatPrice, formatShares } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/states";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";
import { TapeTrade } from "@/lib/schemas/market-pages";
import { listTrades } from "@/lib/markets/list-trades";

const NOTE = "Recent trades, newest first, shown from the taker's side.";

/** The market's recent trades. */
export async function TradesTab({ loaded }: { loaded: LoadedMarket }) {
  const { principal } = loaded.session;
  const trades = z.encode(z.array(TapeTrade), await listTrades(principal, loaded.market));
  return (
    <Card title="Trades" isFlush>
      <p className="px-3 pb-2 text-small text-text-2 sm:px-4">{NOTE}</p>
      {trades.length === 0 ? (
        <EmptyState>No trades yet.</EmptyState>
      ) : (
        <Table
          caption="Recent trades"
          head={
            <tr>
              <HeadCell>Time</HeadCell>
              <HeadCell>Side</HeadCell>
              <HeadCell isNumeric>Price</HeadCell>
              <HeadCell isNumeric>Shares</HeadCell>
              <HeadCell isNumeric>Value</HeadCell>
            </tr>
          }
        >
          {trades.map((trade) => (
            <Row key={trade.id}>
              <Cell>
                <TimeStamp at={trade.at} />
              </Cell>
              <Cell>
                <span className={trade.action === "BUY" ? "text-up" : "text-down"}>
                  {trade.action === "BUY" ? "Buy" : "Sell"}
                </span>{" "}
                {trade.outcome}
              </Cell>
              <Cell isNumeric>{formatPrice(trade.price, loaded.detail.tickSize)}</Cell>
              <Cell isNumeric>{formatShares(trade.shares)}</Cell>
              <Cell isNumeric>{formatMoney(trade.value)}</Cell>
            </Row>
          ))}
        </Table>
      )}
    </Card>
  );
}
