import { formatMoney, formatOrderPrice, formatShares } from "@/components/format/numbers";
import { splitWords } from "@/lib/domain/search";
import { buildTicketHref } from "@/lib/domain/ticket/href";
import type { OrderPhrase } from "@/lib/domain/ticket/order-phrase";
import { toFormQuery } from "@/lib/domain/ticket/query";

type Order = Extract<OrderPhrase, { kind: "order" }>;

interface Outcome {
  name: string;
  tokenId: string;
  bestBid: number | null;
  bestAsk: number | null;
}

interface Market {
  slug: string;
  title: string;
  tickSize: string;
  outcomes: readonly Outcome[];
}

/** A link to a filled-in ticket: "Buy $50 of Yes · Will it rain?". */
interface OrderLink {
  slug: string;
  tokenId: string;
  label: string;
  /** The best opposite price: "offer 62¢", "no bids". */
  best: string;
  href: string;
}

/** Lists the orders that a phrase can mean in the markets that were found for it. */
export function listOrderLinks(order: Order, markets: readonly Market[]): OrderLink[] {
  return markets.flatMap(({ slug, title, tickSize, outcomes }) =>
    findMeant(order, outcomes).map(({ name, tokenId, bestBid, bestAsk }) => ({
      slug,
      tokenId,
      label: `${describeOrder(order, name)} · ${title}`,
      best:
        order.form.action === "BUY"
          ? describeBest("offer", bestAsk, tickSize)
          : describeBest("bid", bestBid, tickSize),
      href: buildTicketHref(slug, toFormQuery(order.form, tokenId)),
    })),
  );
}

const describeBest = (side: "offer" | "bid", best: number | null, tickSize: string) =>
  best === null ? `no ${side}s` : `${side} ${formatOrderPrice(best, tickSize)}`;

/** Returns the one outcome that the words name; all if they name none or several. */
function findMeant({ words }: Order, outcomes: readonly Outcome[]): readonly Outcome[] {
  const named = outcomes.filter(({ name }) =>
    splitWords(name).some((word) => words.includes(word)),
  );
  return named.length === 1 ? named : outcomes;
}

/** Buy $50 of Yes; Sell 20 shares of No at 40¢ */
function describeOrder({ form }: Order, outcome: string): string {
  const size =
    form.amount === ""
      ? form.shares === "1"
        ? "1 share"
        : `${formatShares(Number(form.shares))} shares`
      : formatMoney(Number(form.amount)).replace(/\.00$/, "");
  const limit = form.price === "" ? "" : ` at ${form.price}¢`;
  return `${form.action === "BUY" ? "Buy" : "Sell"} ${size} of ${outcome}${limit}`;
}

const HINTS: Record<Exclude<OrderPhrase["kind"], "order" | "incomplete">, string> = {
  bad_size: "The amount must be more than 0, with at most two decimals.",
  sell_in_dollars: "Sells are sized in shares, such as “sell 20 gulls”.",
  bad_price: "The price must be between 0 and 100 cents, such as “at 40”.",
};

/** Returns what an order in words lacks; null if it is complete or the text is none. */
export function describeGap(phrase: OrderPhrase | null): string | null {
  if (phrase === null || phrase.kind === "order") return null;
  if (phrase.kind !== "incomplete") return HINTS[phrase.kind];
  return phrase.action === "BUY"
    ? "Add an amount and a market, such as “buy 50 gulls”."
    : "Add shares and a market, such as “sell 20 gulls”.";
}
