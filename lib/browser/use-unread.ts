"use client";

import { useEffect } from "react";
import useSWR, { mutate } from "swr";
import { fetchData } from "@/lib/browser/fetcher";

const UNREAD_URL = "/api/ui/notifications/unread";

interface Unread {
  unread: number;
}

/**
 * Returns the number of unread notifications: the server-rendered one, until the account's events have
 * it fetched again (`follow-events.ts`).
 */
export function useUnread(initial: number): number {
  const { data } = useSWR<Unread, Error>(UNREAD_URL, fetchData, {
    fallbackData: { unread: initial },
    revalidateOnMount: false,
    revalidateIfStale: false,
  });
  // The server renders the shell again after an action.
  useEffect(() => setUnread(initial), [initial]);
  return data?.unread ?? initial;
}

/** Shows a number until the next fetch. */
export function setUnread(unread: number): void {
  void mutate<Unread>(UNREAD_URL, { unread }, { revalidate: false });
}
