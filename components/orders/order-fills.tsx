import type { z } from "zod";
import { TimeStamp } from "@/components/format/time-stamp";
import { Amount, Price, Shares } from "@/components/format/values";
import { CardList, Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { OrderRecord } from "@/lib/schemas/orders";

interface Props {
  fills: readonly z.input<typeof OrderRecord>["fills"][number][];
  tickSize: string;
  /** Whether there is no room for the table's columns, as in the drawer. */
  isNarrow?: boolean;
  /** Whether amounts have all their decimals; otherwise they are to the nearest cent. */
  isExact?: boolean;
}

/** The fills of an order, oldest first. */
export function OrderFills({ fills, tickSize, isNarrow = false, isExact = false }: Props) {
  const amounts = fills.flatMap(({ amount, fee }) => [amount, fee]);
  const cards = (
    <CardList label="Fills" isAlways={isNarrow}>
      {fills.map((fill) => (
        <li key={fill.id} className="px-3 py-2 sm:px-4 print:px-0">
          <p className="flex flex-wrap justify-between gap-x-3">
            <span>
              <Shares shares={fill.shares} /> at <Price price={fill.price} tickSize={tickSize} />
            </span>
            <Amount usdc={fill.amount} others={amounts} isExact={isExact} />
          </p>
          <p className="flex flex-wrap justify-between gap-x-3 text-small text-text-2">
            <TimeStamp at={fill.createdAt} isPrecise />
            <span>
              Fee <Amount usdc={fill.fee} others={amounts} isExact={isExact} /> ·{" "}
              {fill.role === "maker" ? "maker" : "taker"}
            </span>
          </p>
          <code className="font-mono text-caption break-all text-text-3">{fill.tradeId}</code>
        </li>
      ))}
    </CardList>
  );
  if (isNarrow) return cards;
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
    <>
      <Table caption="Fills" head={head} hasCards>
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
              <Amount usdc={fill.amount} others={amounts} isExact={isExact} />
            </Cell>
            <Cell isNumeric>
              <Amount usdc={fill.fee} others={amounts} isExact={isExact} />
            </Cell>
            <Cell>{fill.role === "maker" ? "Maker" : "Taker"}</Cell>
            <Cell>
              <code className="font-mono text-caption whitespace-nowrap">{fill.tradeId}</code>
            </Cell>
          </Row>
        ))}
      </Table>
      {cards}
    </>
  );
}
