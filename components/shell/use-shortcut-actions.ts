"use client";

import { useRouter } from "next/navigation";
import { useCallback } from "react";
import { useSWRConfig } from "swr";
import { openCommandMenu, openShortcutList } from "@/lib/browser/commands";
import { toggleRail } from "@/lib/browser/display";
import { toggleHideValues } from "@/lib/browser/hide-values";
import {
  centerBook,
  closeMenus,
  focusRowCancel,
  focusSearch,
  moveToRow,
} from "@/lib/browser/page-keys";
import type { ShortcutAction, TicketKey } from "@/lib/browser/shortcuts";
import { sendToTicket } from "@/lib/browser/ticket-commands";
import { dismissToast, listToasts, showToast } from "@/lib/browser/toasts";

/** Returns a function that runs a shortcut's action and returns whether the key press was handled. */
export function useShortcutActions(): (action: ShortcutAction) => boolean {
  const router = useRouter();
  const refresh = useRefresh();
  return useCallback(
    (action) => {
      switch (action.kind) {
        case "go":
          router.push(action.href);
          return true;
        case "ticket":
          return fillTicket(action.command);
        case "row":
          moveToRow(action.step);
          return true;
        case "refresh":
          refresh();
          return true;
        case "escape":
          return closeMenus() || dismissNewest();
        default:
          PLAIN[action.kind]();
          return true;
      }
    },
    [router, refresh],
  );
}

/** The next thing that a trader types after the side is the amount. */
function fillTicket(command: TicketKey): boolean {
  if (!sendToTicket({ kind: command })) return false;
  if (command === "buy" || command === "sell") sendToTicket({ kind: "size" });
  return true;
}

/** Refetches all data on the page. */
export function useRefresh(): () => void {
  const router = useRouter();
  const { mutate } = useSWRConfig();
  return useCallback(() => {
    void mutate(() => true);
    router.refresh();
    showToast({ id: "refresh", tone: "info", text: "Refreshed." });
  }, [mutate, router]);
}

const PLAIN = {
  commands: openCommandMenu,
  list: openShortcutList,
  search: () => {
    if (!focusSearch()) openCommandMenu();
  },
  rail: toggleRail,
  cancel: focusRowCancel,
  center: centerBook,
  hide: toggleHideValues,
} as const;

function dismissNewest(): boolean {
  const [newest] = listToasts();
  if (newest) dismissToast(newest.id);
  return newest !== undefined;
}
