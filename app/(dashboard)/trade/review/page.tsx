import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { toSearchParams, type PageQuery } from "@/app/_lib/search-params";
import { getDisplay } from "@/app/_lib/display-settings";
import { requireSession } from "@/app/_lib/require-session";
import { confirmOrderAction } from "@/app/(dashboard)/trade/actions";
import { loadTicket } from "@/app/(dashboard)/trade/load-ticket";
import { ConfirmForm } from "@/app/(dashboard)/trade/review/confirm-form";
import { FormErrors } from "@/app/(dashboard)/trade/review/form-errors";
import { MaskedText } from "@/components/format/masked-text";
import { ModeBadge } from "@/components/shell/mode-badge";
import { EstimateList } from "@/components/trading/ticket/estimate-list";
import { OrderSummary } from "@/components/trading/ticket/order-summary";
import {
  describeBlock,
  formatMicroMoney,
  getVerb,
  describeWarning,
} from "@/components/trading/wording";
import { OutageNote, OutageCard } from "@/components/system/venue-outage";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import type { Session } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import { isIdempotencyKey, createIdempotencyKey } from "@/lib/browser/idempotency-key";
import type { TicketData } from "@/lib/browser/use-ticket";
import { type Assessment, assess } from "@/lib/domain/ticket/assess";
import type { TicketContext, TicketOrder } from "@/lib/domain/ticket/context";
import { toPayload } from "@/lib/domain/ticket/payload";
import { project } from "@/lib/domain/ticket/projection";
import { buildTicketHref } from "@/lib/domain/ticket/href";
import { toFormQuery } from "@/lib/domain/ticket/query";
import { toContext } from "@/lib/domain/ticket/wire";
import { parseInput } from "@/lib/schemas/envelope";
import { PlaceOrderBody } from "@/lib/schemas/orders";
import type { TicketOrderInput } from "@/lib/schemas/ticket";
import { findMarketByToken } from "@/lib/markets/get-market";
import { checkKeyUse } from "@/lib/orders/find-placement";
import { withStaleReads, type VenueOutage } from "@/lib/stale-reads";
import { formatMicro } from "@/lib/units";

export const metadata: Metadata = { title: "Review order" };

interface Props {
  searchParams: Promise<PageQuery>;
}

/** The ticket's review for browsers without JavaScript: the issues, or the order to confirm. */
export default async function ReviewPage({ searchParams }: Props) {
  const session = await requireSession();
  const params = toSearchParams(await searchParams);
  const query = Object.fromEntries(params);
  const found = await withStaleReads(() =>
    findMarketByToken(session.principal, params.get("token") ?? ""),
  );
  if (!found.isKnown) return <ReviewOutage outage={found.outage} />;
  if (!found.value) redirect(`/trade?${params}`);
  const ticket = await loadTicket(session, found.value.market.id, query);
  if (!ticket.isKnown) return <ReviewOutage outage={ticket.outage} />;
  const { value: data, outage } = ticket;
  const { market, form } = data;
  const facts = {
    mode: data.mode,
    market,
    book: data.book.data,
    isBookDead: outage !== null,
    account: data.account.data,
    protectionCents: data.settings.priceProtectionCents,
    zone: (await getDisplay()).zone,
    now: now(),
  };
  const context = toContext(facts, form.outcome);
  const assessment = assess(form, context);
  const { name, tokenId } = market.outcomes[form.outcome];
  const editHref = buildTicketHref(market.slug, toFormQuery(form, tokenId));
  const { order, issues, block } = assessment;
  const isComplete = order !== null && issues.length === 0 && block === null;
  return (
    <div className="mx-auto max-w-120">
      <PageHeader title={`${getVerb(form.action)} ${name}`} description={market.title} />
      {outage && <OutageNote outage={outage} />}
      <Card>
        {block !== null && <Callout tone="warn">{describeBlock(block)}</Callout>}
        {/* No other fields would help a frozen account. */}
        {!isComplete && block !== "frozen" && (
          <FormErrors data={data} issues={issues} token={tokenId} zone={facts.zone} />
        )}
        {isComplete && (
          <LastLook
            session={session}
            subject={{ data, order, assessment, context }}
            params={params}
            editHref={editHref}
          />
        )}
      </Card>
    </div>
  );
}

/** Reloading shows the same order, because the URL has all its fields. */
function ReviewOutage({ outage }: { outage: VenueOutage }) {
  return (
    <div className="mx-auto max-w-120">
      <PageHeader title="Review order" />
      <OutageCard outage={outage} what="The order" />
    </div>
  );
}

interface LastLookProps {
  session: Session;
  subject: {
    data: TicketData;
    order: TicketOrder;
    assessment: Assessment;
    context: TicketContext;
  };
  params: URLSearchParams;
  editHref: string;
}

async function LastLook({ session, subject, params, editHref }: LastLookProps) {
  const { data, order, assessment, context } = subject;
  const { estimate, warnings } = assessment;
  const input = await inputFor(session, { data, order }, params);
  const { tick } = context.rules;
  const projection = estimate && project(order, estimate, context);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col items-start gap-2">
        <ModeBadge mode={data.mode} />
        <OrderSummary order={order} rules={context.rules} clock={await getDisplay()} />
      </div>
      {warnings.map((warning) => (
        <Callout key={warning.kind} tone={warning.kind === "fills_now" ? "info" : "warn"}>
          <MaskedText text={describeWarning(warning, tick)} />
        </Callout>
      ))}
      <EstimateList
        action={order.action}
        order={order}
        estimate={estimate}
        projection={projection}
        context={context}
        isReview
      />
      <ConfirmForm
        action={confirmOrderAction.bind(null, data.mode)}
        order={input}
        average={estimate?.average ? formatMicro(estimate.average) : null}
        editHref={editHref}
        label={projection ? `Place order · ${formatMicroMoney(projection.money)}` : "Place order"}
      />
    </div>
  );
}

/**
 * Returns the order with its key. The key is in the URL, so that going back, reloading and submitting
 * twice mean the same order. A key of another order is replaced.
 */
async function inputFor(
  { principal }: Session,
  { data, order }: { data: TicketData; order: TicketOrder },
  params: URLSearchParams,
): Promise<TicketOrderInput> {
  const { market, form } = data;
  const key = params.get("key") ?? "";
  const { tokenId } = market.outcomes[form.outcome];
  const input = { tokenId, tickSize: market.tickSize, ...toPayload(order), idempotencyKey: key };
  if (!isIdempotencyKey(key)) return redirect(withKey(params));
  const body = { ...parseInput(PlaceOrderBody, input), idempotencyKey: key };
  const use = await checkKeyUse(principal, body);
  if (use === "same") redirect(`/orders/receipt/${encodeURIComponent(key)}`);
  return use === "other" ? redirect(withKey(params)) : input;
}

function withKey(params: URLSearchParams): string {
  const next = new URLSearchParams(params);
  next.set("key", createIdempotencyKey());
  return `/trade/review?${next}`;
}
