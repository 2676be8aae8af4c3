import type { Destination } from "@/components/shell/navigation";
import { buildSettingsHref, listSections } from "@/components/shell/settings-sections";

/** Parts of pages, which only the command menu lists. Apart from the pages, so that only the menu loads them. */
export const INNER_DESTINATIONS: readonly Omit<Destination, "icon">[] = [
  { href: "/orders?tab=history", label: "Orders: history" },
  { href: "/activity/proof", label: "Activity: ledger proof" },
  { href: "/keys?tab=requests", label: "API keys: requests" },
  { href: "/keys/new", label: "API keys: create a key" },
  { href: "/developers/events", label: "Developers: events" },
  { href: "/developers/webhooks", label: "Developers: webhooks" },
  { href: "/wallet/live", label: "Wallet: live wallet" },
  ...listSections(false).map(({ id, label }) => ({
    href: buildSettingsHref(id),
    label: `Settings: ${label.toLowerCase()}`,
  })),
];
