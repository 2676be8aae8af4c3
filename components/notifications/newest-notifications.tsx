"use client";

import { useEffect, useState } from "react";
import useSWR from "swr";
import {
  NotificationItems,
  type NotificationWire,
} from "@/components/notifications/notification-items";
import { Spinner } from "@/components/ui/spinner";
import { fetchData } from "@/lib/browser/fetcher";
import { PAGE_MODE_FIELD } from "@/lib/browser/page-mode";
import { setUnread } from "@/lib/browser/use-unread";
import type { Mode } from "@/lib/venue/port";

interface Props {
  mode: Mode;
  markRead: (form: FormData) => Promise<void>;
}

/** The newest notifications, fetched when the menu opens. Seeing them marks them as read. */
export function NewestNotifications({ mode, markRead }: Props) {
  const { data, error, mutate } = useSWR<{ notifications: NotificationWire[] }, Error>(
    "/api/ui/notifications",
    fetchData,
  );
  const newest = data?.notifications[0];
  // Unread notifications stay marked as new while the menu is open.
  const [newSeqs, setNewSeqs] = useState<ReadonlySet<number>>(new Set());
  const unread = (data?.notifications ?? []).filter(({ isUnread }) => isUnread);
  const hasUnread = unread.length > 0;
  if (unread.some(({ seq }) => !newSeqs.has(seq))) {
    setNewSeqs(new Set([...newSeqs, ...unread.map(({ seq }) => seq)]));
  }
  useEffect(() => {
    if (newest === undefined || !hasUnread) return;
    setUnread(0);
    const form = new FormData();
    form.set("seq", String(newest.seq));
    form.set(PAGE_MODE_FIELD, mode);
    // If it fails, the next fetch has them as unread again.
    void markRead(form).then(
      () => mutate(),
      () => undefined,
    );
  }, [newest, hasUnread, mode, markRead, mutate]);
  if (data === undefined) {
    return (
      <p className="flex min-h-24 items-center justify-center gap-2 text-text-2">
        {error ? <>Notifications can&rsquo;t be loaded right now.</> : <Spinner />}
      </p>
    );
  }
  if (newest === undefined) {
    return <p className="px-4 py-8 text-center text-text-2">No notifications yet.</p>;
  }
  const shown = data.notifications.map((each) => ({ ...each, isUnread: newSeqs.has(each.seq) }));
  return <NotificationItems notifications={shown} />;
}
