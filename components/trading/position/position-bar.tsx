"use client";

import Link from "next/link";
import type { MouseEvent } from "react";
import { formatMoney } from "@/components/format/numbers";
import { showPosition } from "@/components/format/sums";
import { DirectionValue, Masked, Money, Price, Shares } from "@/components/format/values";
import { useOutcomeBooks, useOwnMarket } from "@/components/trading/order-book/own-market";
import { useBookState, useLiveMarket } from "@/components/trading/order-book/live-market";
import { sendToTicket } from "@/lib/browser/ticket-commands";
import type { OwnMarketWire } from "@/lib/browser/use-own-market";
import { parseMicroNumber, parseRemaining } from "@/lib/domain/ticket/book";
import { estimateFills } from "@/lib/domain/ticket/estimate";
import { microToNumber, price, shares, subtract } from "@/lib/units";

interface Props {
  slug: string;
  tickSize: string;
  /** The market's taker fee, such as 0.07. */
  feeRate: number;
}

type PositionWire = NonNullable<OwnMarketWire["positions"]>[number];

/** Says that the venue can't tell the account's position. */
export function UnknownPosition() {
  return (
    <p className="card px-3 py-2 text-text-2 sm:px-4">
      Your position can&rsquo;t be shown right now.
    </p>
  );
}

/** The account's positions in the market, one line each, with a button that fills the ticket. */
export function PositionBar({ slug, tickSize, feeRate }: Props) {
  const { positions, orders } = useOwnMarket();
  const { live } = useBookState(useLiveMarket());
  if (positions === null) return <UnknownPosition />;
  if (positions.length === 0) return null;
  return (
    <section aria-label="Your position" className="@container card divide-y divide-border">
      {positions.map((position) => (
        <PositionLine
          key={position.id}
          position={position}
          orders={orders}
          market={{ slug, tickSize, feeRate }}
          columns={live.status === "open" ? COLUMNS.open : COLUMNS.ended}
        />
      ))}
    </section>
  );
}

interface LineProps {
  position: PositionWire;
  orders: OwnMarketWire["orders"];
  market: Props;
}

/**
 * Fixed widths, so that the lines of two positions have the same columns. A narrow bar stacks them. Only an
 * open market has the column of the button.
 */
const COLUMNS = {
  open: "@xl:grid-cols-[minmax(0,1fr)_minmax(5rem,auto)_10rem_10.5rem]",
  ended: "@xl:grid-cols-[minmax(0,1fr)_minmax(5rem,auto)_10rem]",
} as const;
/** The second line of a figure. */
const NOTE = "block text-small font-normal text-text-2";

function PositionLine({ columns, ...line }: LineProps & { columns: string }) {
  const { position, market } = line;
  const figures = showPosition(position);
  return (
    <div
      className={`grid grid-cols-[minmax(0,1fr)_auto] items-center gap-3 px-3 py-2 sm:px-4 sm:whitespace-nowrap ${columns}`}
    >
      <p>
        <span className="block truncate font-[550]">
          <Shares shares={position.shares} /> {position.outcome}
        </span>
        <span className={NOTE}>
          <span className="sr-only">average price </span>
          <Price price={position.avgPrice} tickSize={market.tickSize} isAverage />
          <span aria-hidden="true"> → </span>
          <span className="sr-only">, now </span>
          <Price price={position.currentPrice} tickSize={market.tickSize} isAverage />
        </span>
      </p>
      <p className="text-right font-[550]">
        <Money usdc={figures.value} />
        <span className={NOTE}>Value</span>
      </p>
      <p className="max-[379px]:col-span-2 @xl:text-right">
        <DirectionValue usdc={figures.pnl} percent={position.pnlPercent} />
        <span className={NOTE}>P&amp;L before fees</span>
      </p>
      <SellAll {...line} />
    </div>
  );
}

/** Fills the ticket with a market order for all shares that no open order sells. */
function SellAll({ position, orders, market }: LineProps) {
  const { live } = useBookState(useLiveMarket());
  const readBook = useOutcomeBooks();
  if (live.status !== "open") return null;
  const free = computeFree(position, orders);
  if (free <= 0n) return null;
  const size = microToNumber(free);
  const query = new URLSearchParams({
    token: position.id,
    side: "sell",
    type: "market",
    shares: String(size),
  });
  const fill = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (sendToTicket({ kind: "sell-shares", tokenId: position.id, shares: size }))
      event.preventDefault();
  };
  const sale = estimateFills(readBook(position.id, position.outcome), {
    action: "SELL",
    limit: price(0n),
    budget: { kind: "shares", shares: free },
    feeRate: parseMicroNumber(market.feeRate),
  });
  return (
    <Link
      data-quoted=""
      href={`/markets/${market.slug}?${query}`}
      onClick={fill}
      prefetch={false}
      scroll={false}
      className="inline-flex h-11 items-center justify-center max-[379px]:col-span-2 rounded-control border border-control px-3 font-[550] whitespace-nowrap hover:bg-surface-2 lg:h-8"
    >
      {size < position.shares ? (
        <>
          Sell&nbsp;
          <Shares shares={size} />
        </>
      ) : (
        "Sell all"
      )}
      {sale.isComplete && (
        <>
          <span className="mx-1">≈</span>
          <Masked>{formatMoney(microToNumber(subtract(sale.amount, sale.fee)))}</Masked>
        </>
      )}
    </Link>
  );
}

/** The shares that no open order sells. */
function computeFree(position: PositionWire, orders: OwnMarketWire["orders"]) {
  const side = orders.filter(
    ({ action, outcome }) => action === "SELL" && outcome === position.outcome,
  );
  return side.reduce(
    (left, order) => shares(left - parseRemaining(order)),
    shares(parseMicroNumber(position.shares)),
  );
}
