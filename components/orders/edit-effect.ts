import { formatOrderPrice } from "@/components/format/numbers";
import { measureDistance } from "@/components/orders/distance";
import { microToNumber, type Price } from "@/lib/units";

interface Order {
  action: "BUY" | "SELL";
  price: number | null;
  tickSize: string;
  postOnly: boolean;
  /** The best price on the other side of the book; null if it has none. */
  marketPrice: number | null;
}

/** Says what a new price does to an open order, before it is sent; null if it is the same price. */
export function describeEditEffect(order: Order, newPrice: Price): string | null {
  const { action, marketPrice, tickSize } = order;
  const price = microToNumber(newPrice);
  if (price === order.price) return null;
  const moved = `Moves to the end of the queue at ${formatOrderPrice(price, tickSize)}`;
  if (marketPrice === null) return `${moved}.`;
  if (!isCrossing(order, newPrice)) {
    const away = formatOrderPrice(measureDistance(price, marketPrice), tickSize);
    return `${moved}, ${away} ${action === "BUY" ? "below the best offer" : "above the best bid"}.`;
  }
  const best = formatOrderPrice(marketPrice, tickSize);
  if (order.postOnly) {
    return `A post-only order can’t fill immediately. Enter a price ${action === "BUY" ? "below" : "above"} ${best}.`;
  }
  const worst = formatOrderPrice(price, tickSize);
  const at = price === marketPrice ? ` at ${best}` : `, at ${best} to ${worst}`;
  return `Fills immediately${at}. You see its cost and fee before anything changes.`;
}

/** Returns whether an order at this price would fill immediately, at prices that the form doesn't know. */
export function isCrossing({ action, marketPrice }: Order, newPrice: Price): boolean {
  if (marketPrice === null) return false;
  const price = microToNumber(newPrice);
  return action === "BUY" ? price >= marketPrice : price <= marketPrice;
}
