import Link from "next/link";
import { z } from "zod";
import { showPositions } from "@/app/(dashboard)/_positions/show-positions";
import { cancelOrderAction } from "@/app/(dashboard)/orders/actions";
import type { Fills } from "@/app/(dashboard)/markets/[slug]/chart-section";
import type { LoadedMarket } from "@/app/(dashboard)/markets/[slug]/load";
import { formatPrice, formatShares } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { DirectionValue, Money, Price, Shares } from "@/components/format/values";
import { FilledBar } from "@/components/orders/filled-bar";
import { OrderOptions } from "@/components/orders/order-words";
import { CancelForm } from "@/components/trading/order-book/own-orders";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/states";
import { CardList, Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { Portfolio } from "@/lib/schemas/account";
import { OpenOrdersView } from "@/lib/schemas/dashboard-orders";
import { FillList } from "@/lib/schemas/orders";
import { getOpenOrdersView } from "@/lib/orders/list-open-orders";

interface Props {
  loaded: LoadedMarket;
  fills: Fills;
}

/** The account's position, open orders and fills in this market. */
export async function YoursTab({ loaded, fills }: Props) {
  const { principal } = loaded.session;
  const [held, open] = await Promise.all([
    showPositions(principal),
    getOpenOrdersView(principal, { market: loaded.market.id }),
  ]);
  const positions = (held ?? []).filter(({ conditionId }) => conditionId === loaded.market.id);
  const { orders } = z.encode(OpenOrdersView, open);
  const trades = z.encode(FillList, { fills, nextCursor: null }).fills;
  if (held && positions.length + orders.length + trades.length === 0) {
    return (
      <div className="card">
        <EmptyState>
          You don&rsquo;t have any positions, orders or trades in this market yet.
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      {!held && (
        <div className="card">
          <EmptyState>Your position can’t be shown right now.</EmptyState>
        </div>
      )}
      {positions.length > 0 && <Positions positions={positions} loaded={loaded} />}
      {orders.length > 0 && <Orders orders={orders} loaded={loaded} />}
      {trades.length > 0 && <Trades trades={trades} loaded={loaded} />}
    </div>
  );
}

type PositionWire = z.input<typeof Portfolio>["positions"][number];
type OrderWire = z.input<typeof OpenOrdersView>["orders"][number];
type FillWire = z.input<typeof FillList>["fills"][number];

function Positions({ positions, loaded }: { positions: PositionWire[]; loaded: LoadedMarket }) {
  const { tickSize, status } = loaded.detail;
  return (
    <Card title="Your position" isFlush>
      <PositionCards positions={positions} loaded={loaded} />
      <Table
        caption="Your position"
        hasCards
        head={
          <tr>
            <HeadCell>Outcome</HeadCell>
            <HeadCell isNumeric>Shares</HeadCell>
            <HeadCell isNumeric>Avg → now</HeadCell>
            <HeadCell isNumeric>Value</HeadCell>
            <HeadCell isNumeric>P&L</HeadCell>
            <HeadCell>
              <span className="sr-only">Actions</span>
            </HeadCell>
          </tr>
        }
      >
        {positions.map((position) => (
          <Row key={position.id}>
            <Cell>{position.outcome}</Cell>
            <Cell isNumeric>
              <Shares shares={position.shares} />
            </Cell>
            <Cell isNumeric>
              <Price price={position.avgPrice} tickSize={tickSize} isAverage /> →{" "}
              <Price price={position.currentPrice} tickSize={tickSize} isAverage />
            </Cell>
            <Cell isNumeric>
              <Money usdc={position.value} />
            </Cell>
            <Cell isNumeric>
              <DirectionValue usdc={position.pnl} percent={position.pnlPercent} />
            </Cell>
            <Cell isNumeric>{status === "open" && <SellLink position={position} />}</Cell>
          </Row>
        ))}
      </Table>
    </Card>
  );
}

function PositionCards({ positions, loaded }: { positions: PositionWire[]; loaded: LoadedMarket }) {
  const { tickSize, status } = loaded.detail;
  return (
    <CardList label="Your position">
      {positions.map((position) => (
        <li key={position.id} className="flex items-center justify-between gap-3 px-3 py-2">
          <div>
            <p className="font-[550]">
              <Shares shares={position.shares} /> {position.outcome}
            </p>
            <p className="text-small text-text-2">
              <Price price={position.avgPrice} tickSize={tickSize} isAverage /> →{" "}
              <Price price={position.currentPrice} tickSize={tickSize} isAverage />
            </p>
          </div>
          <div className="ml-auto text-right">
            <p className="font-[550]">
              <Money usdc={position.value} />
            </p>
            <p className="text-small">
              <DirectionValue usdc={position.pnl} percent={position.pnlPercent} />
            </p>
          </div>
          {status === "open" && <SellLink position={position} />}
        </li>
      ))}
    </CardList>
  );
}

function SellLink({ position }: { position: PositionWire }) {
  return (
    <ButtonLink href={`/trade?token=${position.id}&side=sell`} size="small" className="max-lg:h-11">
      Sell<span className="sr-only"> {position.outcome}</span>
    </ButtonLink>
  );
}

function Orders({ orders, loaded }: { orders: OrderWire[]; loaded: LoadedMarket }) {
  const { tickSize } = loaded.detail;
  return (
    <Card title="Your open orders" isFlush>
      <Table
        caption="Your open orders"
        head={
          <tr>
            <HeadCell>Order</HeadCell>
            <HeadCell isNumeric>Price</HeadCell>
            <HeadCell isNumeric>Filled</HeadCell>
            <HeadCell>Placed</HeadCell>
            <HeadCell>
              <span className="sr-only">Actions</span>
            </HeadCell>
          </tr>
        }
      >
        {orders.map((order) => (
          <Row key={order.id}>
            <Cell>
              <Link
                href={`/orders/${order.id}`}
                prefetch={false}
                className="inline-flex items-center hover:underline max-lg:min-h-11"
              >
                {order.action === "BUY" ? "Buy" : "Sell"} {order.outcome}
              </Link>
              <OrderOptions order={order} />
            </Cell>
            <Cell isNumeric>{formatPrice(order.price, tickSize)}</Cell>
            <Cell isNumeric>
              <FilledBar filled={order.filledShares} of={order.shares} />
            </Cell>
            <Cell>
              <TimeStamp at={order.createdAt} />
            </Cell>
            <Cell isNumeric>
              {order.isLive && <CancelForm orderId={order.id} cancelAction={cancelOrderAction} />}
            </Cell>
          </Row>
        ))}
      </Table>
    </Card>
  );
}

function Trades({ trades, loaded }: { trades: FillWire[]; loaded: LoadedMarket }) {
  const { tickSize } = loaded.detail;
  return (
    <Card title="Your trades" isFlush>
      <Table
        caption="Your trades"
        head={
          <tr>
            <HeadCell>Time</HeadCell>
            <HeadCell>Trade</HeadCell>
            <HeadCell isNumeric>Price</HeadCell>
            <HeadCell isNumeric>Amount</HeadCell>
            <HeadCell isNumeric>Fee</HeadCell>
          </tr>
        }
      >
        {trades.map((trade) => (
          <Row key={trade.id}>
            <Cell>
              <TimeStamp at={trade.createdAt} />
            </Cell>
            <Cell>
              <Link
                href={`/orders/${trade.orderId}`}
                prefetch={false}
                className="inline-flex items-center hover:underline max-lg:min-h-11"
              >
                {trade.action === "BUY" ? "Bought" : "Sold"} {formatShares(trade.shares)}{" "}
                {findOutcomeName(trade.tokenId, loaded)}
              </Link>
            </Cell>
            <Cell isNumeric>{formatPrice(trade.price, tickSize)}</Cell>
            <Cell isNumeric>
              <Money usdc={trade.amount} isPaid={trade.action === "BUY"} />
            </Cell>
            <Cell isNumeric>
              <Money usdc={trade.fee} isPaid />
            </Cell>
          </Row>
        ))}
      </Table>
    </Card>
  );
}

function findOutcomeName(token: string, { detail }: LoadedMarket): string {
  return detail.outcomes.find(({ tokenId }) => tokenId === token)?.name ?? "";
}
