"use client";

import { useRouter } from "next/navigation";
import { useCallback } from "react";
import { useSWRConfig } from "swr";
import { openCommandMenu, openShortcutList } from "@/lib/client/commands";
import { toggleRail } from "@/lib/client/display";
import { toggleHideValues } from "@/lib/client/hide-values";
import {
  centerBook,
  closeMenus,
  focusRowCancel,
  focusSearch,
  moveToRow,
} from "@/lib/client/page-keys";
import type { ShortcutAction } from "@/lib/client/shortcuts";
import { sendToTicket } from "@/lib/client/ticket-commands";
import { dismissToast, listToasts, showToast } from "@/lib/client/toasts";

/** Does what a shortcut asks for. The answer says whether the key press is used up. */
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
          return sendToTicket({ kind: action.command });
        case "row":
          moveToRow(action.step);
          return true;
        case "refresh":
          refresh();
          return true;
        case "escape":
          return closeMenus() || dismissNewest();
        case "prefix":
          return false;
        default:
          PLAIN[action.kind]();
          return true;
      }
    },
    [router, refresh],
  );
}

/** Reads everything on the page again. */
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
