"use client";

import { useRouter } from "next/navigation";
import {
  ACCOUNT_DESTINATIONS,
  MAIN_DESTINATIONS,
  NOTIFICATIONS,
} from "@/components/shell/navigation";
import { useRefresh } from "@/components/shell/use-shortcut-actions";
import { openShortcutList, signOut } from "@/lib/browser/commands";
import { chooseTheme, toggleRail } from "@/lib/browser/display";
import { isHidingValues, toggleHideValues } from "@/lib/browser/hide-values";
import { useMarketSearch } from "@/lib/browser/use-market-search";

export interface Command {
  id: string;
  group: "Pages" | "Actions" | "Markets";
  label: string;
  /** The shortcut of the command. */
  keys?: string;
  run: () => void;
}

/** Returns the matching commands: pages and actions immediately, markets when they are found. */
export function useCommands(text: string) {
  const router = useRouter();
  const refresh = useRefresh();
  const { markets, search } = useMarketSearch(text);
  const words = text.trim().toLowerCase().split(/\s+/);
  const isWanted = ({ label }: Command) =>
    words.every((word) => label.toLowerCase().includes(word));

  const pages = [...MAIN_DESTINATIONS, NOTIFICATIONS, ...ACCOUNT_DESTINATIONS].map(
    ({ href, label, key }): Command => ({
      id: `page-${label}`,
      group: "Pages",
      label,
      ...(key === undefined ? {} : { keys: `g ${key}` }),
      run: () => router.push(href),
    }),
  );
  const actions = listActions(refresh);
  const found = markets.map(({ slug, title }): Command => ({
    id: `market-${slug}`,
    group: "Markets",
    label: title,
    run: () => router.push(`/markets/${slug}`),
  }));
  return { commands: [...[...pages, ...actions].filter(isWanted), ...found], search };
}

function listActions(refresh: () => void): Command[] {
  const action = (label: string, run: () => void, keys?: string): Command => ({
    id: `action-${label}`,
    group: "Actions",
    label,
    ...(keys === undefined ? {} : { keys }),
    run,
  });
  return [
    action(isHidingValues() ? "Show values" : "Hide values", toggleHideValues, "h"),
    action("Refresh this page", refresh, "r"),
    action("Theme: light", () => chooseTheme("light")),
    action("Theme: dark", () => chooseTheme("dark")),
    action("Theme: system", () => chooseTheme("system")),
    action("Collapse sidebar", toggleRail, "["),
    action("Keyboard shortcuts", openShortcutList, "?"),
    action("Sign out", signOut),
  ];
}
