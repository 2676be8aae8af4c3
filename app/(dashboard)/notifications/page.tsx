import type { Metadata } from "next";
import { z } from "zod";
import { requireSession } from "@/app/_lib/require-session";
import { markAllReadAction } from "@/app/(dashboard)/notifications/actions";
import { MarkReadForm } from "@/app/(dashboard)/notifications/mark-read-form";
import { NotificationItems } from "@/components/notifications/notification-items";
import { RefreshOnAccountChange } from "@/components/system/refresh-on-account-change";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";
import { listNotifications } from "@/lib/notifications/list-notifications";
import { NotificationList } from "@/lib/schemas/notifications";

export const metadata: Metadata = { title: "Notifications" };

const NEWEST = 50;

export default async function NotificationsPage() {
  const { principal } = await requireSession();
  const list = await listNotifications(principal, NEWEST);
  const { notifications } = z.encode(NotificationList, list);
  const newest = notifications[0];
  const hasUnread = notifications.some(({ isUnread }) => isUnread);
  return (
    <>
      <RefreshOnAccountChange />
      <PageHeader
        title="Notifications"
        description="Fills, market results and alerts for this account."
        actions={
          <>
            {newest && hasUnread && <MarkReadForm action={markAllReadAction} seq={newest.seq} />}
            <ButtonLink href="/developers/events">All events</ButtonLink>
          </>
        }
      />
      <Card isFlush>
        {notifications.length === 0 ? (
          <EmptyState action={<ButtonLink href="/markets">Browse markets</ButtonLink>}>
            No notifications yet. Fills and market results appear here.
          </EmptyState>
        ) : (
          <NotificationItems notifications={notifications} />
        )}
      </Card>
    </>
  );
}
