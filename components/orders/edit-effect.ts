import { formatOrderPrice } from "@/components/format/numbers";
import { formatCents, type PriceReading } from "@/lib/domain/ticket/price-field";
import { microToNumber } from "@/lib/units";

interface Order {
  action: "BUY" | "SELL";
  price: number | null;
  tickSize: string;
  postOnly: boolean;
  /** The best price on the other side of the book; null if it has none. */
  marketPrice: number | null;
}

/** Says what the typed price does to an open order, before it is sent; null if it is the same price or not one. */
export function describeEditEffect(order: Order, reading: PriceReading): string | null {
  const { action, marketPrice, tickSize } = order;
  if (reading.kind === "fraction") {
    return `The price is in cents. Enter ${formatCents(reading.meant)} for ${formatCents(reading.meant)}¢.`;
  }
  if (reading.kind !== "price") return null;
  const price = microToNumber(reading.price);
  if (price === order.price) return null;
  const isBuy = action === "BUY";
  if (marketPrice === null || (isBuy ? price < marketPrice : price > marketPrice)) {
    return `Moves to the end of the queue at ${formatOrderPrice(price, tickSize)}.`;
  }
  const best = formatOrderPrice(marketPrice, tickSize);
  if (order.postOnly) {
    return `A post-only order can’t fill immediately. Enter a price ${isBuy ? "below" : "above"} ${best}.`;
  }
  return `Fills immediately, at ${best} or worse. You see its cost and fee before anything changes.`;
}
