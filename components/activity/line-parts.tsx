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

/** The market it was about, or the account itself. */
export function Subject({ line }: Props) {
  if (!line.market) return <span className="text-text-2">Cash account</span>;
  const { title, slug, iconUrl } = line.market;
  return <MarketLabel title={title} slug={slug} iconUrl={iconUrl} />;
}

const VERBS = { buy: "Bought", sell: "Sold", claim: "Claimed" } as const;

/** "Bought 160.31 Yes @ 62.4¢", linked to its order. */
export function Detail({ line }: Props) {
  const { kind, market, shares, price, orderId } = line;
  if (kind === "deposit" || !market) return <>Paper money paid in</>;
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

/** Signed; green only when money came in, since spending is not a loss. */
export function SignedAmount({ line }: Props) {
  return (
    <span className={`num whitespace-nowrap ${line.amountUsdc > 0 ? "text-up" : ""}`}>
      <Masked>{formatSignedMoney(line.amountUsdc)}</Masked>
    </span>
  );
}
