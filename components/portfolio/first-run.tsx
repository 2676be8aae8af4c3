import { Check } from "lucide-react";
import { formatMoney, formatOrderPrice, formatShares } from "@/components/format/numbers";
import { Money } from "@/components/format/values";
import { MarketIcon } from "@/components/markets/market-parts";
import { OutcomeLinks } from "@/components/markets/outcome-links";
import { ButtonLink } from "@/components/ui/button";

interface Props {
  /** A popular market to start with; null if there is none. */
  market: SampleMarket | null;
  cash: number;
  hasOrder: boolean;
  hasKey: boolean;
}

export interface SampleMarket {
  slug: string;
  title: string;
  icon: string;
  tickSize: string;
  outcomes: readonly { name: string; tokenId: string; ask: number | null }[];
}

/** The first steps of a new account, until it has a position. */
export function FirstRun({ market, cash, hasOrder, hasKey }: Props) {
  return (
    <section aria-labelledby="first-run" className="p-4 sm:p-6">
      <h2 id="first-run" className="text-heading">
        Get started
      </h2>
      <ol className="mt-4 grid gap-4 md:grid-cols-3">
        <Step number={1} title="Find a market" action="Browse markets" href="/markets" isNext>
          {market === null ? (
            "Prices are probabilities. A share at 62¢ means a 62% chance and pays $1.00 if it wins."
          ) : (
            <Sample market={market} />
          )}
        </Step>
        <Step
          number={2}
          title="Place a paper order"
          action={cash > 0 ? "Go to Trade" : "Add funds"}
          href={cash > 0 ? "/trade" : "/wallet"}
          isDone={hasOrder}
        >
          You have <Money usdc={cash} /> in paper money. The ticket shows what you pay and what you
          can win before you buy.
          {market !== null && <SampleOrder market={market} />}
        </Step>
        <Step
          number={3}
          title="Create an API key"
          action="Create a key"
          href="/keys/new"
          isDone={hasKey}
        >
          Trade from your own programs. Their orders show up here as they happen.
          <pre className="mt-3 rounded-control bg-surface-2 px-3 py-2 font-mono text-caption whitespace-pre-wrap text-text">
            {SAMPLE_REQUEST}
          </pre>
        </Step>
      </ol>
    </section>
  );
}

/** A market with the prices of now, which explain what a share is. */
function Sample({ market }: { market: SampleMarket }) {
  const [first] = market.outcomes;
  return (
    <>
      <span className="mb-2 flex items-center gap-2 text-text">
        <MarketIcon src={market.icon} size="small" />
        <span className="min-w-0 font-[550]">{market.title}</span>
      </span>
      <OutcomeLinks {...market} hasVerb />
      {first && first.ask !== null && (
        <span className="mt-2 block">
          One {first.name} share costs {formatOrderPrice(first.ask, market.tickSize)} now and pays
          $1.00 if it wins.
        </span>
      )}
    </>
  );
}

const SAMPLE_REQUEST = "GET /v1/positions\nAuthorization: Bearer ante_paper_…";
const SAMPLE_AMOUNT = 20;

/** The payout of a small order at the current price if its outcome wins. A share pays one dollar. */
function SampleOrder({ market }: { market: SampleMarket }) {
  const [first] = market.outcomes;
  if (!first || first.ask === null) return null;
  // Rounded down, so that the step never promises more than the ticket.
  const shares = Math.floor((SAMPLE_AMOUNT / first.ask) * 100) / 100;
  return (
    <dl className="mt-3 grid grid-cols-[1fr_auto] gap-y-1 rounded-control bg-surface-2 px-3 py-2">
      <dt>You buy {first.name} for, before fees</dt>
      <dd className="num text-right text-text">{formatMoney(SAMPLE_AMOUNT)}</dd>
      <dt>Shares at {formatOrderPrice(first.ask, market.tickSize)}</dt>
      <dd className="num text-right text-text">≈ {formatShares(shares)}</dd>
      <dt>To win</dt>
      <dd className="num text-right font-[550] text-text">≈ {formatMoney(shares)}</dd>
    </dl>
  );
}

interface StepProps {
  number: number;
  title: string;
  children: React.ReactNode;
  action: string;
  href: string;
  isDone?: boolean;
  isNext?: boolean;
}

function Step({
  number,
  title,
  children,
  action,
  href,
  isDone = false,
  isNext = false,
}: StepProps) {
  return (
    <li className="flex flex-col items-start gap-2 rounded-control border border-border p-4">
      <h3 className="flex items-center gap-2 font-[550]">
        <span
          className={`num grid size-6 place-items-center rounded-pill border text-caption ${isDone ? "border-up text-up" : "border-control text-text-2"}`}
        >
          {isDone ? <Check aria-hidden="true" className="size-3.5" /> : number}
        </span>
        {title}
        {isDone && <span className="text-small font-normal text-up">Done</span>}
      </h3>
      <div className="w-full flex-1 text-text-2">{children}</div>
      <ButtonLink href={href} tone={isNext ? "primary" : "secondary"}>
        {action}
      </ButtonLink>
    </li>
  );
}
