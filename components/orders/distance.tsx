import type { z } from "zod";
import { formatOrderPrice, NOTHING } from "@/components/format/numbers";
import type { OrderLineAtMarket } from "@/lib/schemas/dashboard-orders";
import { parseMicro } from "@/lib/units";

/** From this distance on, in dollars, the bar is empty. */
const FAR = 0.2;
const WIDTH = 48;

interface Props {
  order: Pick<z.input<typeof OrderLineAtMarket>, "status" | "price" | "marketPrice" | "tickSize">;
  /** Whether the price says what it is, where no column header does. */
  isNamed?: boolean;
}

/**
 * "3¢" or "3¢ away" and a bar, which is full when the order is about to fill. Only an order in the book has a
 * distance: one that waits for approval doesn't fill, however near the price is.
 */
export function Distance({ order, isNamed = false }: Props) {
  const { status, price, marketPrice, tickSize } = order;
  if (status !== "open" || price === null || marketPrice === null) return isNamed ? null : NOTHING;
  const away = measureDistance(price, marketPrice);
  const part = Math.max(0, 1 - away / FAR);
  return (
    <span className="num inline-flex items-center justify-end gap-2">
      {formatOrderPrice(away, tickSize)}
      {isNamed && " away"}
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${WIDTH} 4`}
        width={WIDTH}
        height="4"
        className="overflow-hidden rounded-pill"
      >
        <rect width={WIDTH} height="4" className="fill-surface-3" />
        <rect width={Math.round(WIDTH * part)} height="4" className="fill-text-2" />
      </svg>
    </span>
  );
}

export const measureDistance = (limit: number, now: number): number =>
  Math.abs(Number(toMicro(now) - toMicro(limit))) / 1_000_000;

function toMicro(price: number): bigint {
  const parsed = parseMicro(String(price));
  return parsed.ok ? parsed.micro : 0n;
}
