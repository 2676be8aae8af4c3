import Link from "next/link";
import type { z } from "zod";
import { KINDS } from "@/components/activity/kinds";
import { formatSignedMoney } from "@/components/format/numbers";
import { Masked, Price, Shares } from "@/components/format/values";
import { MarketLabel } from "@/components/portfolio/market-label";
import type { StatementLine } from "@/lib/schemas/statement";

export type StatementLineWire = z.input<typeof StatementLine>;

interface Props {
  line: StatementLineWire;
}

export function KindMark({ line }: Props) {
  const { label, icon: Icon } = KINDS[line.kind];
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <Icon aria-hidden="true" className="size-4 text-text-2" />
      {label}
    </span>
  );
}

/** The market of the line, or the account. */
export function LineSubject({ line }: Props) {
  if (!line.market) return <span className="text-text-2">Cash account</span>;
  const { title, slug, iconUrl } = line.market;
  return <MarketLabel title={title} slug={slug} iconUrl={iconUrl} />;
}

const VERBS = { buy: "Bought", sell: "Sold", claim: "Claimed" } as const;

/** "Bought 160.31 Yes @ 62.4¢", linked to its order. */
export function Detail({ line }: Props) {
  const { kind, market, shares, price, orderId } = line;
  if (kind === "deposit" || !market) return <>Paper deposit</>;
  if (kind === "claim" && price === 0) {
    return (
      <>
        Closed <Shares shares={shares} /> {market.outcome}, which lost
      </>
    );
  }
  const sentence = (
    <>
      {VERBS[kind]} <Shares shares={shares} /> {market.outcome} @{" "}
      {kind === "claim" ? "$1.00" : <Price price={price} tickSize={market.tickSize} />}
    </>
  );
  if (orderId === null) return sentence;
  return (
    <Link href={`/orders/${orderId}`} prefetch={false} className="hover:underline">
      {sentence}
    </Link>
  );
}

/** A signed amount. Only income is green, since spending is not a loss. */
export function SignedAmount({ usdc }: { usdc: number }) {
  return (
    <span className={`num whitespace-nowrap ${usdc > 0 ? "text-up" : ""}`}>
      <Masked>{formatSignedMoney(usdc)}</Masked>
    </span>
  );
}
