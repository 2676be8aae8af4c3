import Link from "next/link";
import type { z } from "zod";
import { addExactly } from "@/components/format/sums";
import { TimeStamp } from "@/components/format/time-stamp";
import { Money, Price } from "@/components/format/values";
import { FilledOfOrdered, SideLabel } from "@/components/orders/order-words";
import { LineStatus } from "@/components/orders/replaced";
import { MarketIcon } from "@/components/portfolio/market-line";
import { CardList, Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { EditedOrderLine } from "@/lib/schemas/dashboard-orders";

type Order = z.input<typeof EditedOrderLine>;

/** The newest orders of a key as a table, and as cards on a phone. */
export function KeyOrders({ orders }: { orders: readonly Order[] }) {
  const head = (
    <tr>
      <HeadCell>Placed</HeadCell>
      <HeadCell>Market</HeadCell>
      <HeadCell>Side</HeadCell>
      <HeadCell isNumeric>Limit</HeadCell>
      <HeadCell isNumeric>Filled / ordered</HeadCell>
      <HeadCell isNumeric>Value</HeadCell>
      <HeadCell>Status</HeadCell>
    </tr>
  );
  return (
    <>
      <Table caption="Newest orders" head={head} hasCards>
        {orders.map((order) => (
          <Row key={order.id}>
            <Cell>
              <TimeStamp at={order.createdAt} isRelative={false} />
            </Cell>
            <Cell isRowHeader isFilling>
              <OrderLink order={order} />
            </Cell>
            <Cell>
              <SideLabel action={order.action} outcome={order.outcome} />
            </Cell>
            <Cell isNumeric>
              <Price
                price={order.type === "limit" ? order.price : null}
                tickSize={order.tickSize}
              />
            </Cell>
            <Cell isNumeric>
              <FilledOfOrdered order={order} />
            </Cell>
            <Cell isNumeric>
              <Value order={order} />
            </Cell>
            <Cell>
              <LineStatus order={order} />
            </Cell>
          </Row>
        ))}
      </Table>
      <CardList label="Newest orders">
        {orders.map((order) => (
          <li key={order.id} className="flex flex-col gap-1 px-3 py-3">
            <OrderLink order={order} />
            <div className="flex items-center justify-between gap-3">
              <SideLabel action={order.action} outcome={order.outcome} />
              <Value order={order} />
            </div>
            <div className="flex items-center justify-between gap-3 text-small text-text-2">
              <span className="num">
                <FilledOfOrdered order={order} />
              </span>
              <LineStatus order={order} />
            </div>
            <span className="text-small text-text-2">
              <TimeStamp at={order.createdAt} isRelative={false} />
            </span>
          </li>
        ))}
      </CardList>
    </>
  );
}

/** The value of what was filled and, while the order is open, of the rest. */
function Value({ order: { isLive, openValue, value, filledShares } }: { order: Order }) {
  if (isLive) return <Money usdc={openValue === null ? null : addExactly(value, openValue)} />;
  return <Money usdc={filledShares > 0 ? value : null} />;
}

function OrderLink({ order: { id, marketTitle, iconUrl } }: { order: Order }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <MarketIcon iconUrl={iconUrl} />
      <Link
        href={`/orders/${id}`}
        prefetch={false}
        title={marketTitle}
        className="line-clamp-2 min-w-0 hover:underline"
      >
        {marketTitle}
      </Link>
    </span>
  );
}
