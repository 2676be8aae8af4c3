import type { Metadata } from "next";
import { z } from "zod";
import { getDisplay } from "@/app/_lib/display-settings";
import { requireSession } from "@/app/_lib/require-session";
import { pickParams } from "@/app/_lib/search-params";
import { claimAction } from "@/app/(dashboard)/_positions/actions";
import { ClaimForm } from "@/app/(dashboard)/_positions/claim-form";
import { markAllReadAction } from "@/app/(dashboard)/notifications/actions";
import { MarkReadForm } from "@/app/(dashboard)/notifications/mark-read-form";
import { formatRecentDay, formatTimeOfDay, formatUtc } from "@/components/format/times";
import {
  NotificationItems,
  type NotificationWire,
} from "@/components/notifications/notification-items";
import { buildSettingsHref } from "@/components/shell/settings-sections";
import { RefreshOnAccountChange } from "@/components/system/refresh-on-account-change";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { PillLink } from "@/components/ui/pill-link";
import { EmptyState } from "@/components/ui/states";
import { ALL_KINDS, type NotificationKind } from "@/lib/domain/notifications";
import { listNotifications } from "@/lib/notifications/list-notifications";
import { explainNoRelay } from "@/lib/wallet-transactions/require-relay";
import { NotificationList } from "@/lib/schemas/notifications";

export const metadata: Metadata = { title: "Notifications" };

const NEWEST = 50;

const FILTERS: readonly { show: string; label: string; kinds: readonly NotificationKind[] }[] = [
  { show: "fills", label: "Fills", kinds: ["filled"] },
  { show: "results", label: "Results", kinds: ["resolved", "claim"] },
  { show: "orders", label: "Orders", kinds: ["approval", "refused"] },
  { show: "account", label: "Account", kinds: ["frozen", "wallet", "webhook"] },
];

export default async function NotificationsPage({ searchParams }: PageProps<"/notifications">) {
  const { principal } = await requireSession();
  const { show } = pickParams(await searchParams, ["show"]);
  const filter = FILTERS.find((each) => each.show === show);
  const list = await listNotifications(principal, NEWEST, filter?.kinds ?? ALL_KINDS);
  const { notifications } = z.encode(NotificationList, list);
  const clock = await getDisplay();
  const canClaim = principal.mode === "paper" || (await explainNoRelay(principal.userId)) === null;
  const hasClaims = canClaim && notifications.some(isClaimable);
  const newest = notifications[0];
  // The read mark is one number, so it can't leave out the kinds that a filter hides.
  const canMark = !filter && notifications.some(({ isUnread }) => isUnread);
  return (
    <>
      <RefreshOnAccountChange />
      <PageHeader
        title="Notifications"
        description="Fills, market results and alerts for this account."
        actions={
          <>
            {newest && canMark && <MarkReadForm action={markAllReadAction} seq={newest.seq} />}
            <ButtonLink href={buildSettingsHref("notifications")}>Notification settings</ButtonLink>
            <ButtonLink href="/developers/events">All events</ButtonLink>
          </>
        }
      />
      <nav aria-label="Filter notifications" className="scroll-cue mb-3 flex gap-1 overflow-x-auto">
        <PillLink href="/notifications" isCurrent={!filter}>
          All
        </PillLink>
        {FILTERS.map((each) => (
          <PillLink
            key={each.show}
            href={`/notifications?show=${each.show}`}
            isCurrent={each === filter}
          >
            {each.label}
          </PillLink>
        ))}
      </nav>
      {notifications.length === 0 ? (
        <Card isFlush>
          <Empty isFiltered={filter !== undefined} />
        </Card>
      ) : (
        groupByDay(notifications, clock.zone).map(({ day, items }) => (
          <section key={day} className="mb-4">
            <h2 className="mb-1 px-3 text-small font-[550] text-text-2 sm:px-4">{day}</h2>
            <Card isFlush>
              <NotificationItems
                notifications={items}
                renderTime={(at) => (
                  <time dateTime={at} title={formatUtc(at)} className="num whitespace-nowrap">
                    {formatTimeOfDay(at, clock)}
                  </time>
                )}
                {...(hasClaims && { renderClaim })}
              />
            </Card>
          </section>
        ))
      )}
    </>
  );
}

/** Groups notifications, newest first, by their day in a zone. */
function groupByDay(notifications: readonly NotificationWire[], zone: string) {
  const now = Date.now();
  const days: { day: string; items: NotificationWire[] }[] = [];
  for (const notification of notifications) {
    const day = formatRecentDay(notification.createdAt, zone, now);
    const last = days.at(-1);
    if (last?.day === day) last.items.push(notification);
    else days.push({ day, items: [notification] });
  }
  return days;
}

const isClaimable = ({ claim, usdc }: NotificationWire) => claim !== null && usdc !== null;

/** The button beside a result that pays. In a wide list, the others have its space, so that all times have one edge. */
function renderClaim({ claim, usdc, text }: NotificationWire) {
  if (claim === null || usdc === null) return <div className="w-20 shrink-0 @max-xl:hidden" />;
  const { positionId: id, outcome } = claim;
  return (
    <div className="ml-auto min-w-20 pr-3 sm:pr-4 @max-xl:pb-2.5">
      <ClaimForm position={{ id, outcome, value: usdc, marketTitle: text }} action={claimAction} />
    </div>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState action={<ButtonLink href="/notifications">Show all notifications</ButtonLink>}>
        No notifications of this kind yet.
      </EmptyState>
    );
  }
  return (
    <EmptyState action={<ButtonLink href="/markets">Browse markets</ButtonLink>}>
      No notifications yet.
      <br />
      Fills and market results appear here.
    </EmptyState>
  );
}
