"use client";

import { useRouter } from "next/navigation";
import { formatProbability } from "@/components/format/numbers";
import { INNER_DESTINATIONS } from "@/components/shell/inner-destinations";
import {
  ACCOUNT_DESTINATIONS,
  MAIN_DESTINATIONS,
  type Destination,
  NOTIFICATIONS,
} from "@/components/shell/navigation";
import { describeGap, listOrderLinks } from "@/components/shell/order-commands";
import { findCommands, listPageActions } from "@/components/shell/page-actions";
import { useRefresh } from "@/components/shell/use-shortcut-actions";
import { openShortcutList, signOut } from "@/lib/browser/commands";
import { chooseTheme, toggleRail } from "@/lib/browser/display";
import { isHidingValues, toggleHideValues } from "@/lib/browser/hide-values";
import { sendToTicket } from "@/lib/browser/ticket-commands";
import { useMarketSearch } from "@/lib/browser/use-market-search";
import { parseOrderPhrase } from "@/lib/domain/ticket/order-phrase";
import type { Mode } from "@/lib/venue/port";

export interface Command {
  id: string;
  group: "Orders" | "Pages" | "Actions" | "Markets";
  label: string;
  /** The shortcut of the command. */
  keys?: string;
  /** The market's chance or price. */
  note?: string;
  run: () => void;
}

interface Findable extends Command {
  /** Other words that find it. */
  synonyms?: string;
}

/**
 * Returns the matching commands: pages and actions immediately, markets when they are found. For an order
 * in words, they only fill in the ticket of a market.
 */
export function useCommands(text: string, mode: Mode) {
  const router = useRouter();
  const refresh = useRefresh();
  const phrase = parseOrderPhrase(text);
  const order = phrase?.kind === "order" ? phrase : null;
  const { markets, search } = useMarketSearch(order ? order.search : text);
  const gap = describeGap(phrase);
  if (order) {
    // While the words change, the markets of earlier words would get the wrong order.
    const links = search === "settled" ? listOrderLinks(order, markets) : [];
    const commands = links.map(({ slug, tokenId, label, best, href }): Command => ({
      id: `order-${tokenId}`,
      group: "Orders",
      label,
      note: best,
      run: () => {
        // The address of the page can be the same, so its ticket would stay as it is.
        const isHere = location.pathname === `/markets/${slug}`;
        const command = { kind: "fill", tokenId, form: order.form } as const;
        if (!isHere || !sendToTicket(command)) router.push(href);
      },
    }));
    return { commands, search, gap };
  }
  const destinations: readonly Omit<Destination, "icon">[] = [
    ...MAIN_DESTINATIONS,
    NOTIFICATIONS,
    ...ACCOUNT_DESTINATIONS,
    // Found by their names. Without a text, the list has the pages of the sidebar.
    ...(text.trim() === "" ? [] : INNER_DESTINATIONS),
  ];
  const pages = destinations.map(({ href, label, key }): Command => ({
    id: `page-${label}`,
    group: "Pages",
    label,
    ...(key === undefined ? {} : { keys: `g ${key}` }),
    run: () => router.push(href),
  }));
  const pageActions = listPageActions(mode).map(({ label, synonyms, href }) => ({
    id: `action-${label}`,
    group: "Actions" as const,
    label,
    synonyms,
    run: () => router.push(href),
  }));
  const own: readonly Findable[] = [...pages, ...pageActions, ...listActions(refresh)];
  const found = markets.map(({ slug, title, outcomes: [first] }): Command => ({
    id: `market-${slug}`,
    group: "Markets",
    label: title,
    note: `${first.name} ${formatProbability(first.price)}`,
    run: () => router.push(`/markets/${slug}`),
  }));
  return { commands: [...findCommands(own, text), ...found], search, gap };
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
