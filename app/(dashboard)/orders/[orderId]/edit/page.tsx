import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requireSession } from "@/app/_lib/require-session";
import { type PageQuery, toSearchParams } from "@/app/_lib/search-params";
import { withNotFound } from "@/app/_lib/with-not-found";
import { OrderNotFound } from "@/components/orders/order-not-found";
import { replaceFromPage } from "@/app/(dashboard)/orders/[orderId]/edit/actions";
import { formatOrderPrice, formatShares } from "@/components/format/numbers";
import { Price } from "@/components/format/values";
import { RefusalText } from "@/components/format/refusal-text";
import { readEditEffect } from "@/app/(dashboard)/orders/[orderId]/edit/effect";
import { EditOrderForm } from "@/components/orders/edit-order-form";
import { EditWithAccount } from "@/components/orders/edit-with-account";
import { OrderStatusBadge } from "@/components/orders/order-status";
import { SideLabel } from "@/components/orders/order-words";
import { describeReplacement } from "@/components/orders/replace-report";
import { ReplacedBadge } from "@/components/orders/replaced";
import { RefreshOnAccountChange } from "@/components/system/refresh-on-account-change";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { PageHeader } from "@/components/ui/page-header";
import type { Principal } from "@/lib/auth/principal";
import { createIdempotencyKey } from "@/lib/browser/idempotency-key";
import { canRepeat, isReplaceable } from "@/lib/domain/order-replacement";
import { AppError } from "@/lib/errors";
import { getOrderLineAtMarket } from "@/lib/orders/get-order";
import { getReplacement, type Replacement } from "@/lib/orders/replace-order";
import { OrderLineAtMarket } from "@/lib/schemas/dashboard-orders";
import { EditEffect } from "@/lib/schemas/ticket";
import { getDataTime, withStaleReads } from "@/lib/stale-reads";
import { microToNumber } from "@/lib/units";

export const metadata: Metadata = { title: "Edit order" };

interface Props {
  params: Promise<{ orderId: string }>;
  searchParams: Promise<PageQuery>;
}

/** The form that changes an open order, and what became of the change. Reloading it is safe. */
async function EditOrderPage({ params, searchParams }: Props) {
  const { principal } = await requireSession();
  const { orderId } = await params;
  const isUnsaved = toSearchParams(await searchParams).has("unsaved");
  const [line, replacement] = await Promise.all([
    readLine(principal, orderId),
    getReplacement(principal, orderId),
  ]);
  const isShown = replacement ? canRepeat(replacement.result) : isReplaceable(line);
  const effect = isShown ? await readEffect(principal, orderId) : null;
  const keep = <ButtonLink href="/orders">Keep order</ButtonLink>;
  const form = {
    order: replacement ? { ...line, ...readTerms(replacement) } : line,
    formKey: replacement?.key ?? createIdempotencyKey(),
    action: replaceFromPage,
    started: replacement?.result ?? null,
    leave: replacement ? <Links orderId={line.id} /> : keep,
  };
  return (
    <div className="mx-auto max-w-150">
      <PageHeader
        title={replacement ? "Order change" : "Edit order"}
        description={
          <Link
            href={`/markets/${line.marketSlug}`}
            prefetch={false}
            className="inline-flex min-h-6 items-center hover:underline"
          >
            {line.marketTitle}
          </Link>
        }
      />
      {isShown && <RefreshOnAccountChange />}
      <section className="card flex flex-col gap-4 p-4">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span>
            <SideLabel action={line.action} outcome={line.outcome} /> at{" "}
            <Price price={line.price} tickSize={line.tickSize} />
          </span>
          <Badges line={line} replacement={replacement} />
        </p>
        {replacement && !canRepeat(replacement.result) && (
          <Outcome line={line} replacement={replacement} isUnsaved={isUnsaved} />
        )}
        {/* At the same place before and after a change: without JavaScript, its state finds it there. */}
        {isShown &&
          (effect ? <EditWithAccount {...form} effect={effect} /> : <EditOrderForm {...form} />)}
        {!replacement && !isShown && (
          <>
            <Callout>Only an open limit order can be edited. Nothing was changed.</Callout>
            <Links orderId={line.id} />
          </>
        )}
      </section>
    </div>
  );
}

export default withNotFound(EditOrderPage, OrderNotFound);

type Line = z.input<typeof OrderLineAtMarket>;

const readTerms = ({ price, shares }: Replacement) => ({
  price: microToNumber(price),
  shares: microToNumber(shares),
});

const findNewOrderId = ({ result }: Replacement) =>
  "newOrderId" in result ? result.newOrderId : null;

/** The state of the order. Once it is replaced, also that of the new one. */
function Badges({ line, replacement }: { line: Line; replacement: Replacement | null }) {
  if (replacement?.result.outcome !== "placed") return <OrderStatusBadge {...line} />;
  const { status, filledShares } = replacement.result;
  return (
    <>
      <ReplacedBadge filledShares={line.filledShares} />
      <span className="inline-flex items-center gap-1.5">
        New order <OrderStatusBadge status={status} filledShares={microToNumber(filledShares)} />
      </span>
    </>
  );
}

interface OutcomeProps {
  line: Line;
  replacement: Replacement;
  /** Whether the page was sent with another change, which came too late. */
  isUnsaved: boolean;
}

/** The outcome of a change that can't be repeated. */
function Outcome({ line, replacement, isUnsaved }: OutcomeProps) {
  const { result } = replacement;
  const { price, shares } = readTerms(replacement);
  const verb = line.action === "BUY" ? "buy" : "sell";
  const at = formatOrderPrice(price, line.tickSize);
  const terms = `${verb} ${formatShares(shares)} ${line.outcome} at ${at}`;
  const { tone, text } = describeReplacement(result, terms, line);
  return (
    <>
      {isUnsaved && (
        <Callout tone="warn" role="alert">
          Your change wasn&rsquo;t saved, because the order had already been changed elsewhere:
        </Callout>
      )}
      <Callout tone={tone} role={tone === "danger" ? "alert" : "status"}>
        <RefusalText message={text} />
      </Callout>
      <Links orderId={findNewOrderId(replacement) ?? line.id} />
    </>
  );
}

function Links({ orderId }: { orderId: string }) {
  return (
    <div className="flex flex-wrap gap-2">
      <ButtonLink href={`/orders/${orderId}`}>View order</ButtonLink>
      <ButtonLink href="/orders">Open orders</ButtonLink>
    </div>
  );
}

/** Reads the effect of the form; null without its market or account. The form still edits the order then. */
async function readEffect(principal: Principal, orderId: string) {
  try {
    const read = await withStaleReads(() => readEditEffect(principal, orderId, null));
    if (!read.isKnown) return null;
    const isMarked = read.outage !== null;
    return { data: z.encode(EditEffect, read.value), at: getDataTime(read.outage), isMarked };
  } catch (error) {
    // A live account may have lost its wallet since it placed the order.
    if (error instanceof AppError) return null;
    throw error;
  }
}

async function readLine(principal: Principal, orderId: string): Promise<Line> {
  try {
    return z.encode(OrderLineAtMarket, await getOrderLineAtMarket(principal, orderId));
  } catch (error) {
    if (error instanceof AppError && error.code === "ORDER_NOT_FOUND") notFound();
    throw error;
  }
}
