import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { toSearchParams, type PageQuery } from "@/app/_lib/search-params";
import { requireSession } from "@/app/_lib/require-session";
import { confirmOrderAction } from "@/app/(dashboard)/trade/actions";
import { loadTicket } from "@/app/(dashboard)/trade/load-ticket";
import { ConfirmForm } from "@/app/(dashboard)/trade/review/confirm-form";
import { FormErrors } from "@/app/(dashboard)/trade/review/form-errors";
import { EstimateList } from "@/components/trading/ticket/estimate-list";
import { blockText, orderWords, verbOf, warningText } from "@/components/trading/ticket/wording";
import { SilenceNote, SilentCard } from "@/components/system/venue-silence";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import type { Session } from "@/lib/auth/session";
import { isIdempotencyKey, newIdempotencyKey } from "@/lib/client/idempotency-key";
import type { TicketData } from "@/lib/client/use-ticket";
import { type Assessment, assess } from "@/lib/domain/ticket/assess";
import type { TicketContext, TicketOrder } from "@/lib/domain/ticket/context";
import { toPayload } from "@/lib/domain/ticket/payload";
import { project } from "@/lib/domain/ticket/projection";
import { queryOfForm } from "@/lib/domain/ticket/query";
import { contextOf } from "@/lib/domain/ticket/wire";
import { parseInput } from "@/lib/schemas/envelope";
import { PlaceOrderBody } from "@/lib/schemas/orders";
import type { TicketOrderInput } from "@/lib/schemas/ticket";
import { findMarketByToken } from "@/lib/services/markets/find-by-token";
import { keyUse } from "@/lib/services/orders/find-placement";
import { showing, type Silence } from "@/lib/showing";
import { formatMicro } from "@/lib/units";

export const metadata: Metadata = { title: "Review order" };

interface Props {
  searchParams: Promise<PageQuery>;
}

/** The ticket's review for browsers without JavaScript: what is wrong, or the last look. */
export default async function ReviewPage({ searchParams }: Props) {
  const session = await requireSession();
  const params = toSearchParams(await searchParams);
  const query = Object.fromEntries(params);
  const found = await showing(() =>
    findMarketByToken(session.principal, params.get("token") ?? ""),
  );
  if (!found.isKnown) return <Silent silence={found.silence} />;
  if (!found.value) redirect(`/trade?${params}`);
  const ticket = await loadTicket(session, found.value.market.id, query);
  if (!ticket.isKnown) return <Silent silence={ticket.silence} />;
  const { value: data, silence } = ticket;
  const { market, form } = data;
  const facts = {
    market,
    book: data.book.data,
    isBookDead: silence !== null,
    account: data.account.data,
    protectionCents: data.settings.priceProtectionCents,
  };
  const context = contextOf(facts, form.outcome);
  const assessment = assess(form, context);
  const { name, tokenId } = market.outcomes[form.outcome];
  const editHref = `/trade?${new URLSearchParams(queryOfForm(form, tokenId))}`;
  const { order, issues, block } = assessment;
  const isComplete = order !== null && issues.length === 0 && block === null;
  return (
    <div className="mx-auto max-w-[480px]">
      <PageHeader title={`${verbOf(form.action)} ${name}`} description={market.title} />
      {silence && <SilenceNote silence={silence} />}
      <Card>
        {block !== null && <Callout tone="warn">{blockText(block)}</Callout>}
        {!isComplete && <FormErrors data={data} issues={issues} token={tokenId} />}
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

/** Loading it again shows the same order: everything of it is in the address. */
function Silent({ silence }: { silence: Silence }) {
  return (
    <div className="mx-auto max-w-[480px]">
      <PageHeader title="Review order" />
      <SilentCard silence={silence} what="The order" />
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
  return (
    <div className="flex flex-col gap-4">
      <p>{orderWords(order, tick)}</p>
      {warnings.map((warning) => (
        <Callout key={warning.kind} tone={warning.kind === "fills_now" ? "info" : "warn"}>
          {warningText(warning, tick)}
        </Callout>
      ))}
      <EstimateList
        order={order}
        estimate={estimate}
        projection={estimate && project(order, estimate, context.funds)}
        context={context}
      />
      <ConfirmForm
        action={confirmOrderAction.bind(null, data.mode)}
        order={input}
        average={estimate?.average ? formatMicro(estimate.average) : null}
        editHref={editHref}
        label="Place order"
        mode={data.mode}
      />
    </div>
  );
}

/**
 * The order with its key. The key is in the address, so that going back, loading again and pressing
 * twice all mean the same order; one that was already used for another order is replaced.
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
  const use = await keyUse(principal, body);
  if (use === "same") redirect(`/orders/receipt/${encodeURIComponent(key)}`);
  return use === "other" ? redirect(withKey(params)) : input;
}

function withKey(params: URLSearchParams): string {
  const next = new URLSearchParams(params);
  next.set("key", newIdempotencyKey());
  return `/trade/review?${next}`;
}
