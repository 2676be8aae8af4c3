import Link from "next/link";
import type { ReactNode } from "react";
import type { z } from "zod";
import { Money, Price, Shares } from "@/components/format/values";
import type { AccountEvent } from "@/lib/schemas/events";

export type AccountEventWire = z.input<typeof AccountEvent>;

/** The market of an order or a fill. */
interface EventMarket {
  title: string;
  tickSize: string;
  firstToken: string;
  firstOutcome: string;
  secondOutcome: string;
}

/** Markets by id. */
export type EventMarkets = ReadonlyMap<string, EventMarket>;

interface Props {
  event: AccountEventWire;
  markets: EventMarkets;
  /** The names of the account's keys, by id. */
  keyNames: Readonly<Record<string, string>>;
}

/** The subject of an event: for orders and fills, the trade and its market. */
export function EventSubject({ event, markets, keyNames }: Props) {
  const { data } = event;
  if ("order" in data) {
    return <OrderSubject order={data.order} market={markets.get(data.order.marketId)} />;
  }
  if ("fill" in data) {
    return <FillSubject fill={data.fill} market={markets.get(data.fill.marketId)} />;
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
  if ("key" in data) return <KeyLink id={data.key.id}>{data.key.name}</KeyLink>;
  if ("scope" in data) {
    const { scope, keyId } = data;
    if (keyId !== null) return <KeyLink id={keyId}>{keyNames[keyId] ?? keyId}</KeyLink>;
    const what = scope === "user" ? "All accounts" : "The account";
    return <span className="text-text-2">{what}</span>;
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
type Fill = Extract<EventData, { fill: unknown }>["fill"];
type Balance = Extract<EventData, { balance: unknown }>["balance"];

/** The finest tick size, for a market that isn't recorded. */
const FINEST_TICK = "0.0001";

function OrderSubject({ order, market }: { order: Order; market: EventMarket | undefined }) {
  const { id, action, side, shares, amount, price } = order;
  const outcome = (side === "YES" ? market?.firstOutcome : market?.secondOutcome) ?? side;
  return (
    <OrderLink id={id} market={market}>
      {action === "BUY" ? "Buy" : "Sell"}{" "}
      {shares === null ? <Money usdc={amount} /> : <Shares shares={shares} />} {outcome}
      {price !== null && (
        <>
          {" "}
          @ <Price price={price} tickSize={market?.tickSize ?? FINEST_TICK} />
        </>
      )}
    </OrderLink>
  );
}

function FillSubject({ fill, market }: { fill: Fill; market: EventMarket | undefined }) {
  const { action, shares, price, orderId, tokenId } = fill;
  return (
    <OrderLink id={orderId} market={market}>
      {action === "BUY" ? "Bought" : "Sold"} <Shares shares={shares} />{" "}
      {market && (tokenId === market.firstToken ? market.firstOutcome : market.secondOutcome)} @{" "}
      <Price price={price} tickSize={market?.tickSize ?? FINEST_TICK} />
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

interface OrderLinkProps {
  id: string;
  market: EventMarket | undefined;
  children: ReactNode;
}

/** The trade and, below it, its market, whose title is cut off at the column's end. */
function OrderLink({ id, market, children }: OrderLinkProps) {
  return (
    <Link href={`/orders/${id}`} prefetch={false} className="group block max-w-80 xl:max-w-lg">
      <span className="group-hover:underline">{children}</span>
      {market && (
        <span title={market.title} className="block truncate text-small text-text-2">
          {market.title}
        </span>
      )}
    </Link>
  );
}

function KeyLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Link href={`/keys/${id}`} prefetch={false} className="wrap-anywhere hover:underline">
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
