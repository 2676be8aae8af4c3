import {
  Activity,
  BadgeCheck,
  Bell,
  BookOpen,
  ChartPie,
  ChartSpline,
  ClipboardList,
  Gauge,
  KeyRound,
  type LucideIcon,
  Settings,
  TicketPlus,
  Wallet,
  Webhook,
} from "lucide-react";

export interface Destination {
  href: string;
  label: string;
  icon: LucideIcon;
  /** The key after `g` in its shortcut. */
  key?: string;
}

export const MAIN_DESTINATIONS: readonly Destination[] = [
  { href: "/", label: "Portfolio", icon: ChartPie, key: "p" },
  { href: "/markets", label: "Markets", icon: ChartSpline, key: "m" },
  { href: "/trade", label: "Trade", icon: TicketPlus, key: "t" },
  { href: "/orders", label: "Orders", icon: ClipboardList, key: "o" },
  { href: "/activity", label: "Activity", icon: Activity, key: "a" },
];

export const ACCOUNT_DESTINATIONS: readonly Destination[] = [
  { href: "/wallet", label: "Wallet", icon: Wallet, key: "w" },
  { href: "/keys", label: "API keys", icon: KeyRound, key: "k" },
  { href: "/approvals", label: "Approvals", icon: BadgeCheck },
  { href: "/developers", label: "Developers", icon: Webhook, key: "d" },
  { href: "/docs", label: "API reference", icon: BookOpen },
  { href: "/status", label: "Status", icon: Gauge },
  { href: "/settings", label: "Settings", icon: Settings, key: "s" },
];

/** The page of the bell. The top bar has the bell, so the sidebar doesn't list it. */
export const NOTIFICATIONS: Destination = {
  href: "/notifications",
  label: "Notifications",
  icon: Bell,
};

/** Returns whether a path is a destination or below it. */
export function isAt(pathname: string, href: string): boolean {
  return href === "/" ? pathname === "/" : pathname === href || pathname.startsWith(`${href}/`);
}
