import type { ReactNode } from "react";
import type { z } from "zod";
import { NOTHING } from "@/components/format/numbers";
import { addExactly, missesTotal } from "@/components/format/sums";
import { Amount, Money, Price, Shares } from "@/components/format/values";
import type { WaitingOrder, ApprovalPreview } from "@/lib/schemas/approvals";

interface Props {
  waiting: z.input<typeof WaitingOrder>;
  preview: z.input<typeof ApprovalPreview>;
}

/**
 * The terms of an order as the program asked for them, beside its execution if it was approved now. Its
 * amounts are exact where cents would not add up.
 */
export function WaitingTerms({ waiting: { line, mostUsdc }, preview }: Props) {
  const isBuy = line.action === "BUY";
  const { tickSize } = line;
  const { total, fee } = preview;
  const change = isBuy ? fee : -fee;
  const value = addExactly(total, -change);
  const style = { others: [value, fee, total], isExact: missesTotal(total, [value, change]) };
  const canPlace = preview.refusal === null;
  const limit = <Price price={line.price} tickSize={tickSize} />;
  /** The order's estimate at the prices of now. */
  const ifPlaced = (figure: ReactNode) => (canPlace ? figure : NOTHING);
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
        {line.type === "limit" && <Line name="Limit price" asked={limit} now={limit} />}
        <Line
          name="Average price"
          now={ifPlaced(<Price price={preview.avgPrice} tickSize={tickSize} isAverage />)}
        />
        <Line
          name="Worst price"
          asked={line.type === "market" ? limit : NOTHING}
          now={ifPlaced(<Price price={preview.worstPrice} tickSize={tickSize} />)}
        />
        <Line name="Market price" now={<Price price={preview.marketPrice} tickSize={tickSize} />} />
        <Line
          name="Shares"
          asked={line.shares === null ? NOTHING : <Shares shares={line.shares} />}
          now={ifPlaced(<Split preview={preview} />)}
        />
        {line.amount !== null && (
          <Line
            name="Amount"
            asked={<Money usdc={line.amount} />}
            now={ifPlaced(<Amount usdc={value} {...style} />)}
          />
        )}
        <Line name="Fee" now={ifPlaced(<Amount usdc={fee} {...style} />)} />
        <Line
          name={isBuy ? "Cost with fee" : "You receive"}
          asked={isBuy ? <Most usdc={mostUsdc} /> : NOTHING}
          now={ifPlaced(<Amount usdc={total} {...style} />)}
        />
        {preview.reserved > 0 && (
          <Line name="Reserved while open" now={<Money usdc={preview.reserved} />} />
        )}
      </tbody>
    </table>
  );
}

interface LineProps {
  name: string;
  /** Absent if the program couldn't ask for it. */
  asked?: ReactNode;
  now: ReactNode;
}

function Line({ name, asked = NOTHING, now }: LineProps) {
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
      At most <Money usdc={usdc} />
    </>
  );
}

/** "40 fill, 60 stay open". */
function Split({ preview: { filledShares, restingShares } }: Pick<Props, "preview">) {
  if (restingShares === 0) return <Shares shares={filledShares} />;
  return (
    <>
      <Shares shares={filledShares} /> fill, <Shares shares={restingShares} /> stay open
    </>
  );
}
