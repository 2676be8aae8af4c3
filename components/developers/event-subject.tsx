import Link from "next/link";
import type { ReactNode } from "react";
import type { z } from "zod";
import { Money, Price, Shares } from "@/components/format/values";
import type { AccountEvent } from "@/lib/schemas/events";

export type AccountEventWire = z.input<typeof AccountEvent>;

/** What an event is about, in one line. */
export function EventSubject({ event }: { event: AccountEventWire }) {
  const { data } = event;
  if ("order" in data) return <OrderSubject order={data.order} />;
  if ("fill" in data) {
    const { action, shares, price, orderId } = data.fill;
    return (
      <OrderLink id={orderId}>
        {action === "BUY" ? "Bought" : "Sold"} <Shares shares={shares} /> @ <Price price={price} />
      </OrderLink>
    );
  }
  if ("position" in data) {
    const { shares, outcome, marketTitle, marketSlug } = data.position;
    return (
      <MarketLink slug={marketSlug}>
        <Shares shares={shares} /> {outcome}, {marketTitle}
      </MarketLink>
    );
  }
  if ("redemption" in data) {
    return (
      <>
        Claimed <Money usdc={data.redemption.payoutUsdc} />
      </>
    );
  }
  if ("deposit" in data) {
    return (
      <>
        Deposit of <Money usdc={data.deposit.amountUsdc} />
      </>
    );
  }
  if ("balance" in data) return <BalanceSubject balance={data.balance} />;
  if ("key" in data) {
    return (
      <Link href="/keys" prefetch={false} className="wrap-anywhere hover:underline">
        {data.key.name}
      </Link>
    );
  }
  if ("wallet" in data) return <code className="text-caption">{data.wallet.address}</code>;
  if ("market" in data) {
    return <MarketLink slug={data.market.slug}>{data.market.title}</MarketLink>;
  }
  if ("webhookId" in data) {
    return (
      <Link
        href={`/developers/webhooks/${data.webhookId}`}
        prefetch={false}
        className="wrap-anywhere hover:underline"
      >
        {data.url}
      </Link>
    );
  }
  return <span className="text-text-2">The account</span>;
}

type EventData = AccountEventWire["data"];
type Order = Extract<EventData, { order: unknown }>["order"];
type Balance = Extract<EventData, { balance: unknown }>["balance"];

function OrderSubject({ order }: { order: Order }) {
  const { id, action, side, shares, amount, price } = order;
  return (
    <OrderLink id={id}>
      {action === "BUY" ? "Buy" : "Sell"}{" "}
      {shares === null ? <Money usdc={amount} /> : <Shares shares={shares} />} {side}
      {price !== null && (
        <>
          {" "}
          @ <Price price={price} />
        </>
      )}
    </OrderLink>
  );
}

function BalanceSubject({ balance: { availableUsdc, reservedUsdc } }: { balance: Balance }) {
  return (
    <>
      Available <Money usdc={availableUsdc} />, reserved <Money usdc={reservedUsdc} />
    </>
  );
}

function OrderLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Link href={`/orders/${id}`} prefetch={false} className="hover:underline">
      {children}
    </Link>
  );
}

function MarketLink({ slug, children }: { slug: string | null; children: ReactNode }) {
  return slug === null ? (
    <span className="wrap-anywhere">{children}</span>
  ) : (
    <Link href={`/markets/${slug}`} prefetch={false} className="wrap-anywhere hover:underline">
      {children}
    </Link>
  );
}
