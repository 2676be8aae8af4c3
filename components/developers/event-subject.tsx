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
  /** Whether it has no links, for a place that is pressed itself. */
  isText?: boolean;
}

/** The subject of an event: for orders and fills, the trade and its market. */
export function EventSubject({ event, markets, keyNames, isText = false }: Props) {
  const { data } = event;
  const place = { isText };
  if ("order" in data) {
    const market = markets.get(data.order.marketId);
    return <OrderSubject order={data.order} market={market} {...place} />;
  }
  if ("fill" in data) {
    const market = markets.get(data.fill.marketId);
    return <FillSubject fill={data.fill} market={market} {...place} />;
  }
  if ("position" in data) {
    const { shares, outcome, marketTitle, marketSlug } = data.position;
    return (
      <SubjectLink href={marketSlug && `/markets/${marketSlug}`} {...place}>
        <Shares shares={shares} /> {outcome}, {marketTitle}
      </SubjectLink>
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
      <SubjectLink href={`/keys/${data.key.id}`} {...place}>
        {data.key.name}
      </SubjectLink>
    );
  }
  if ("scope" in data) {
    const { scope, keyId } = data;
    if (keyId !== null) {
      return (
        <SubjectLink href={`/keys/${keyId}`} {...place}>
          {keyNames[keyId] ?? keyId}
        </SubjectLink>
      );
    }
    const what = scope === "user" ? "All accounts" : "The account";
    return <span className="text-text-2">{what}</span>;
  }
  if ("wallet" in data) return <code className="text-caption">{data.wallet.address}</code>;
  if ("market" in data) {
    return (
      <SubjectLink href={`/markets/${data.market.slug}`} {...place}>
        {data.market.title}
      </SubjectLink>
    );
  }
  if ("webhookId" in data) {
    return (
      <SubjectLink href={`/developers/webhooks/${data.webhookId}`} {...place}>
        {data.url}
      </SubjectLink>
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

interface TradeProps {
  market: EventMarket | undefined;
  isText: boolean;
}

function OrderSubject({ order, market, isText }: TradeProps & { order: Order }) {
  const { id, action, side, shares, amount, price } = order;
  const outcome = (side === "YES" ? market?.firstOutcome : market?.secondOutcome) ?? side;
  return (
    <OrderLink id={id} market={market} isText={isText}>
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

function FillSubject({ fill, market, isText }: TradeProps & { fill: Fill }) {
  const { action, shares, price, orderId, tokenId } = fill;
  return (
    <OrderLink id={orderId} market={market} isText={isText}>
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

interface OrderLinkProps extends TradeProps {
  id: string;
  children: ReactNode;
}

/** The trade and, below it, its market, whose title is cut off at the column's end. */
function OrderLink({ id, market, isText, children }: OrderLinkProps) {
  if (isText) {
    return (
      <>
        {children}
        {market && <span className="text-text-2"> · {market.title}</span>}
      </>
    );
  }
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

interface SubjectLinkProps {
  /** Where it leads, if anywhere. */
  href: string | null;
  isText: boolean;
  children: ReactNode;
}

function SubjectLink({ href, isText, children }: SubjectLinkProps) {
  if (isText) return children;
  if (href === null) return <span className="wrap-anywhere">{children}</span>;
  return (
    <Link href={href} prefetch={false} className="wrap-anywhere hover:underline">
      {children}
    </Link>
  );
}
