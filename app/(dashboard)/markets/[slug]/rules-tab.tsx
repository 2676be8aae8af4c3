import Link from "next/link";
import type { LoadedMarket } from "@/app/(dashboard)/markets/[slug]/load";
import { formatMoney, formatPrice, formatShares, shortenId } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { env } from "@/lib/env";

/** The market's rules, and the ids that programs need to trade it. */
export function RulesTab({ loaded }: { loaded: LoadedMarket }) {
  const { detail, outcome } = loaded;
  return (
    <div className="flex flex-col gap-4">
      <Rules detail={detail} />
      <Card title="For your programs">
        <dl className="mb-4 flex flex-col gap-1">
          <Identifier label="Market (condition id)" value={detail.id} />
          {detail.outcomes.map(({ name, tokenId }) => (
            <Identifier key={tokenId} label={`${name} token id`} value={tokenId} />
          ))}
        </dl>
        {detail.status === "open" && (
          <>
            <p className="mb-2 text-small text-text-2">
              Places a limit order for {outcome.name} with a key in{" "}
              <code className="font-mono">$ANTE_API_KEY</code>. Add your own{" "}
              <code className="font-mono">idempotencyKey</code> to make it safe to retry.
            </p>
            <CodeBlock code={buildCurl(loaded)} label="order with curl" />
          </>
        )}
      </Card>
    </div>
  );
}

/** How a market is resolved and traded. */
export function Rules({ detail }: Pick<LoadedMarket, "detail">) {
  return (
    <Card title="Rules">
      <p className="max-w-[75ch]">{detail.rules}</p>
      <dl className="mt-4 grid gap-x-6 gap-y-2 sm:grid-cols-2">
        <Fact label="Category">
          <Link
            href={`/markets?cat=${detail.category}`}
            prefetch={false}
            className="link capitalize max-lg:inline-flex max-lg:min-h-11 max-lg:items-center"
          >
            {detail.category}
          </Link>
        </Fact>
        <Fact label="Source">{detail.resolutionSource}</Fact>
        <Fact label="Opened">
          <TimeStamp at={detail.opensAt} isRelative={false} />
        </Fact>
        <Fact label="Trading ends">
          <TimeStamp at={detail.closesAt} isRelative={false} />
        </Fact>
        <Fact label="Result expected after">
          <TimeStamp at={detail.resolvesAt} isRelative={false} />
        </Fact>
        <Fact label="Tick size">{formatPrice(Number(detail.tickSize), detail.tickSize)}</Fact>
        <Fact label="Minimum order">
          {formatShares(detail.minOrderShares)} shares, or {formatMoney(detail.minMarketBuy)} for a
          market buy
        </Fact>
        <Fact label="Taker fee">
          {detail.feeRate === 0
            ? "None"
            : `${detail.feeRate} × price × (1 − price) per share; makers pay nothing`}
        </Fact>
      </dl>
    </Card>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-caption text-text-3">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Identifier({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <dt className="text-small text-text-2">{label}</dt>
      <dd className="flex items-center font-mono text-small" title={value}>
        <span aria-hidden="true">{shortenId(value)}</span>
        <span className="sr-only">{value}</span>
        <CopyButton text={value} label={`Copy ${label}`} />
      </dd>
    </div>
  );
}

/** Formats a curl command for a small order that rests at the best bid. */
function buildCurl({ detail, outcome }: LoadedMarket): string {
  const order = {
    tokenId: outcome.tokenId,
    action: "BUY",
    orderType: "limit",
    price: outcome.bestBid ?? Number(detail.tickSize),
    shares: detail.minOrderShares,
    tickSize: detail.tickSize,
  };
  return [
    `curl ${env().NEXTAUTH_URL}/v1/orders \\`,
    `  -H "Authorization: Bearer $ANTE_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(order)}'`,
  ].join("\n");
}
