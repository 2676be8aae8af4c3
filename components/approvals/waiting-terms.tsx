import type { ReactNode } from "react";
import type { z } from "zod";
import { Money, Price, Shares } from "@/components/format/values";
import type { WaitingOrder, WaitingOutlook } from "@/lib/schemas/approvals";

interface Props {
  waiting: z.input<typeof WaitingOrder>;
  outlook: z.input<typeof WaitingOutlook>;
}

/** What an order was asked to do, beside what it would do if it was approved now. */
export function WaitingTerms({ waiting: { line, mostUsdc }, outlook }: Props) {
  const isBuy = line.action === "BUY";
  const { tickSize } = line;
  const canPlace = outlook.refusal === null;
  return (
    <table className="w-full text-left">
      <caption className="sr-only">The order as it was asked for, and now</caption>
      <thead>
        <tr className="text-small text-text-2">
          <td />
          <th scope="col" className="py-1.5 pr-4 text-right font-normal">
            Asked
          </th>
          <th scope="col" className="py-1.5 text-right font-normal">
            If approved now
          </th>
        </tr>
      </thead>
      <tbody>
        <Line
          name={line.type === "limit" ? "Limit price" : "Worst price"}
          asked={<Price price={line.price} tickSize={tickSize} />}
          now={
            canPlace && outlook.avgPrice !== null ? (
              <>
                <Price price={outlook.avgPrice} tickSize={tickSize} isAverage /> average
              </>
            ) : (
              "–"
            )
          }
        />
        <Line
          name="Shares"
          asked={line.shares === null ? "–" : <Shares shares={line.shares} />}
          now={canPlace ? <Split outlook={outlook} /> : "–"}
        />
        {line.amount !== null && (
          <Line name="Amount" asked={<Money usdc={line.amount} isPaid />} now="" />
        )}
        <Line name="Fee" asked="" now={canPlace ? <Money usdc={outlook.fee} isPaid /> : "–"} />
        <Line
          name={isBuy ? "Cost with fee" : "You receive"}
          asked={isBuy ? <Most usdc={mostUsdc} /> : ""}
          now={canPlace ? <Money usdc={outlook.total} isPaid={isBuy} /> : "–"}
        />
        {outlook.reserved > 0 && (
          <Line
            name="Reserved while open"
            asked=""
            now={<Money usdc={outlook.reserved} isPaid />}
          />
        )}
      </tbody>
    </table>
  );
}

function Line({ name, asked, now }: { name: string; asked: ReactNode; now: ReactNode }) {
  return (
    <tr className="border-t border-border align-top">
      <th scope="row" className="py-2 pr-4 font-normal text-text-2">
        {name}
      </th>
      <td className="num py-2 pr-4 text-right">{asked}</td>
      <td className="num py-2 text-right">{now}</td>
    </tr>
  );
}

function Most({ usdc }: { usdc: number }) {
  return (
    <>
      At most <Money usdc={usdc} isPaid />
    </>
  );
}

/** "40 fill, 60 stay open". */
function Split({ outlook: { filledShares, restingShares } }: Pick<Props, "outlook">) {
  if (restingShares === 0) return <Shares shares={filledShares} />;
  return (
    <>
      <Shares shares={filledShares} /> fill, <Shares shares={restingShares} /> stay open
    </>
  );
}
