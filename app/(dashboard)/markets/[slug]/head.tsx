import { watchAction } from "@/app/(dashboard)/markets/actions";
import type { LoadedMarket } from "@/app/(dashboard)/markets/[slug]/load";
import { PageAge } from "@/app/(dashboard)/markets/page-age";
import { formatCompactMoney } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { ClosesIn } from "@/components/format/time-until";
import { Change, MarketIcon } from "@/components/markets/market-parts";
import { WatchStar } from "@/components/markets/watch-star";
import { LiveChance } from "@/components/trading/order-book/live-chance";
import { RefreshOnAccountChange } from "@/components/system/refresh-on-account-change";
import { Badge } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import { env } from "@/lib/env";

interface Props {
  loaded: LoadedMarket;
  /** The time of the page's figures. */
  at: number;
}

/** The market's title, chance and figures in one row; on a phone in two. */
export function MarketHead({ loaded, at }: Props) {
  const { detail, header, market } = loaded;
  return (
    <header className="flex min-h-14 flex-wrap items-center gap-x-6 gap-y-2 lg:flex-nowrap">
      <div className="flex min-w-0 flex-1 items-center gap-3 max-lg:basis-full">
        <MarketIcon src={`/icons/${market.icon}`} size="large" />
        <div className="min-w-0">
          {header.event.length > 0 && (
            <p className="text-caption text-text-3">{detail.eventTitle}</p>
          )}
          <h1 className="text-heading">{detail.title}</h1>
        </div>
        <div className="ml-auto lg:hidden">
          <Actions loaded={loaded} />
        </div>
      </div>
      <dl className="flex flex-wrap items-center gap-x-5 gap-y-1 lg:shrink-0 lg:gap-x-6">
        {/* A banner below says the result. */}
        {detail.status !== "resolved" && <Chance loaded={loaded} />}
        {header.liquidity !== null && detail.status === "open" && (
          <Figure label="Liquidity" hint={LIQUIDITY_HINT}>
            <span className="num">{formatCompactMoney(header.liquidity)}</span>
          </Figure>
        )}
        {header.volume !== null && header.volume > 0 && (
          <Figure label="Volume" hint={VOLUME_HINT}>
            <span className="num">{formatCompactMoney(header.volume)}</span>
          </Figure>
        )}
        <Close loaded={loaded} />
      </dl>
      <div className="max-lg:hidden">
        <Actions loaded={loaded} />
      </div>
      <PageAge at={at} />
      <RefreshOnAccountChange />
    </header>
  );
}

const VOLUME_HINT = "Total value traded, excluding fees";
const LIQUIDITY_HINT = "Total value of open orders in the book";

/** The chance in large figures. */
function Chance({ loaded: { detail, header, outcome } }: { loaded: LoadedMarket }) {
  return (
    // On a phone it has its own line, so that the figures fit on the next one.
    <div className="flex items-center gap-2 max-sm:basis-full">
      <dt className="sr-only">Chance of {outcome.name}</dt>
      <dd className="text-display">
        <LiveChance />
      </dd>
      <dd className="flex flex-col text-small">
        <span className="text-caption text-text-3">{outcome.name}</span>
        {detail.status === "open" ? (
          <span className="whitespace-nowrap">
            <Change change={header.change} />
            {header.change !== null && (
              <span aria-hidden="true" className="text-caption text-text-3">
                {" "}
                24 h
              </span>
            )}
          </span>
        ) : (
          <Status loaded={detail} />
        )}
      </dd>
    </div>
  );
}

/** Why an unresolved market takes no orders. */
function Status({ loaded: { untradableReason } }: { loaded: LoadedMarket["detail"] }) {
  return <Badge tone="warn">{untradableReason ? "Not tradable" : "Awaiting result"}</Badge>;
}

function Close({ loaded: { detail } }: { loaded: LoadedMarket }) {
  const mayTradeElsewhere = detail.untradableReason !== null && detail.status !== "resolved";
  const isRunning = detail.status === "open" || mayTradeElsewhere;
  return (
    <Figure label={isRunning ? "Closes" : "Closed"}>
      {isRunning ? (
        <ClosesIn at={detail.closesAt} now={Date.now()} />
      ) : (
        <TimeStamp at={detail.closesAt} isRelative={false} />
      )}
    </Figure>
  );
}

/** Watch the market, and copy its link. */
function Actions({ loaded: { detail, header, market } }: { loaded: LoadedMarket }) {
  return (
    <div className="flex items-center">
      <WatchStar
        action={watchAction}
        subject={{ marketId: detail.id }}
        title={detail.title}
        isWatched={header.isWatched}
      />
      <CopyButton
        text={new URL(`/markets/${market.slug}`, env().NEXTAUTH_URL).href}
        label="Copy link to this market"
      />
    </div>
  );
}

interface FigureProps {
  label: string;
  /** Explains the figure. */
  hint?: string;
  children: React.ReactNode;
}

function Figure({ label, hint, children }: FigureProps) {
  return (
    <div title={hint}>
      <dt className="text-caption text-text-3">
        {label}
        {hint !== undefined && <span className="sr-only">: {hint}</span>}
      </dt>
      <dd className="flex min-h-6 items-center font-[550] whitespace-nowrap">{children}</dd>
    </div>
  );
}
