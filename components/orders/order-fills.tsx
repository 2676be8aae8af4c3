import type { z } from "zod";
import { TimeStamp } from "@/components/format/time-stamp";
import { ExactUsdc, Price, Shares } from "@/components/format/values";
import { EmptyState } from "@/components/ui/states";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { OrderRecord } from "@/lib/schemas/orders";

interface Props {
  fills: readonly z.input<typeof OrderRecord>["fills"][number][];
  tickSize: string;
}

/** The fills of an order, oldest first. */
export function OrderFills({ fills, tickSize }: Props) {
  if (fills.length === 0) return <EmptyState>No fills.</EmptyState>;
  const amounts = fills.flatMap(({ amount, fee }) => [amount, fee]);
  const head = (
    <tr>
      <HeadCell>Time</HeadCell>
      <HeadCell isNumeric>Price</HeadCell>
      <HeadCell isNumeric>Shares</HeadCell>
      <HeadCell isNumeric>Value</HeadCell>
      <HeadCell isNumeric>Fee</HeadCell>
      <HeadCell>Role</HeadCell>
      <HeadCell>Trade id</HeadCell>
    </tr>
  );
  return (
    <Table caption="Fills" head={head}>
      {fills.map((fill) => (
        <Row key={fill.id}>
          <Cell>
            <TimeStamp at={fill.createdAt} isPrecise />
          </Cell>
          <Cell isNumeric>
            <Price price={fill.price} tickSize={tickSize} />
          </Cell>
          <Cell isNumeric>
            <Shares shares={fill.shares} />
          </Cell>
          <Cell isNumeric>
            <ExactUsdc usdc={fill.amount} others={amounts} />
          </Cell>
          <Cell isNumeric>
            <ExactUsdc usdc={fill.fee} others={amounts} />
          </Cell>
          <Cell>{fill.role === "maker" ? "Maker" : "Taker"}</Cell>
          <Cell>
            <code className="font-mono text-caption whitespace-nowrap">{fill.tradeId}</code>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
