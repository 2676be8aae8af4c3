import type { z } from "zod";
import { formatOrderPrice } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { Money, Price, Shares } from "@/components/format/values";
import { defaultTimeInForce } from "@/lib/domain/time-in-force";
import type { OrderLine } from "@/lib/schemas/dashboard-orders";

/** The names of the times in force. */
export const TIME_IN_FORCE = {
  GTC: "Until canceled",
  GTD: "Until a set time",
  FOK: "All or nothing",
  FAK: "Fill now, cancel the rest",
} as const;

interface SideProps {
  action: "BUY" | "SELL";
  /** The outcome's name: Yes, or a team's. */
  outcome: string;
}

/** "Buy Yes", with a colored dot. */
export function SideLabel({ action, outcome }: SideProps) {
  const isBuy = action === "BUY";
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span
        aria-hidden="true"
        className={`size-2 shrink-0 rounded-pill ${isBuy ? "bg-up" : "bg-down"}`}
      />
      <span>
        <span className="font-[550]">{isBuy ? "Buy" : "Sell"}</span> {outcome}
      </span>
    </span>
  );
}

interface SizeProps {
  order: Pick<z.input<typeof OrderLine>, "filledShares" | "shares" | "amount">;
}

/** "40 / 100" shares, or "719.79 shares · of $150.00" for an order in dollars. */
export function FilledOfOrdered({ order: { filledShares, shares, amount } }: SizeProps) {
  if (shares !== null) {
    return (
      <>
        <Shares shares={filledShares} /> / <Shares shares={shares} />
      </>
    );
  }
  return (
    <>
      <span className="whitespace-nowrap">
        <Shares shares={filledShares} /> shares
      </span>{" "}
      <span className="whitespace-nowrap text-text-2 lg:block lg:text-small print:block print:text-small">
        <span className="lg:hidden print:hidden">· </span>of <Money usdc={amount} />
      </span>
    </>
  );
}

interface TermsProps {
  order: Pick<z.input<typeof OrderLine>, "type" | "price" | "tickSize">;
}

/** "60¢", the limit, or "Market at 74¢ or better": a market order's price is the worst that it fills at. */
export function OrderTerms({ order }: TermsProps) {
  if (order.type === "limit") return <Price price={order.price} tickSize={order.tickSize} />;
  return (
    <>
      Market{" "}
      <span className="block text-small whitespace-nowrap text-text-2">
        {formatWorstPrice(order)}
      </span>
    </>
  );
}

/** "at 74¢ or better" */
export const formatWorstPrice = ({ price, tickSize }: Omit<TermsProps["order"], "type">): string =>
  price === null ? "at the market price" : `at ${formatOrderPrice(price, tickSize)} or better`;

interface OptionsProps {
  order: Pick<z.input<typeof OrderLine>, "type" | "timeInForce" | "expiresAt" | "postOnly">;
}

/** The order's options that differ from the defaults of its type. */
export function OrderOptions({ order }: OptionsProps) {
  const { type, timeInForce, expiresAt, postOnly } = order;
  const isDefault = timeInForce === defaultTimeInForce(type);
  if (isDefault && !postOnly) return null;
  return (
    <span className="flex flex-wrap gap-x-2 text-small whitespace-nowrap text-text-2">
      {expiresAt !== null && (
        <span>
          Until <TimeStamp at={expiresAt} isRelative={false} />
        </span>
      )}
      {expiresAt === null && !isDefault && <span>{TIME_IN_FORCE[timeInForce]}</span>}
      {postOnly && <span>Post only</span>}
    </span>
  );
}
