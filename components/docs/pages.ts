import { OPERATION_GROUPS } from "@/lib/domain/operation-groups";

const START = { href: "/docs", label: "API reference" } as const;

/** A page for each group of operations. */
const OPERATION_PAGES = OPERATION_GROUPS.map(
  ({ slug, name }) => ({ href: `/docs/${slug}`, label: name }) as const,
);

const GUIDES = [
  { href: "/docs/order-states", label: "Order states" },
  { href: "/docs/retries", label: "Retries" },
  { href: "/docs/event-types", label: "Event types" },
  { href: "/docs/receiving-webhooks", label: "Receiving webhooks" },
  { href: "/docs/errors", label: "Errors" },
  { href: "/docs/money", label: "Money" },
  { href: "/docs/paper-and-live", label: "Paper and live" },
] as const;

type GuidePath = (typeof GUIDES)[number]["href"];

/** The guides that explain a group of operations, by its slug. */
const GUIDES_OF: Readonly<Partial<Record<string, readonly GuidePath[]>>> = {
  account: ["/docs/money"],
  orders: ["/docs/order-states", "/docs/retries", "/docs/money"],
  markets: ["/docs/paper-and-live"],
  wallet: ["/docs/paper-and-live", "/docs/money"],
  events: ["/docs/event-types", "/docs/receiving-webhooks"],
  webhooks: ["/docs/receiving-webhooks", "/docs/event-types"],
  history: ["/docs/money"],
};

/** Returns the guides that explain a group of operations. */
export const listGuides = (group: string) =>
  GUIDES.filter(({ href }) => GUIDES_OF[group]?.includes(href));

/** The parts of the documentation with their pages, in reading order. */
export const DOCS_PARTS = [
  { title: "Start", pages: [START] },
  { title: "Operations", pages: OPERATION_PAGES },
  { title: "Guides", pages: GUIDES },
] as const;

/** All pages of the documentation, in reading order. */
export const DOCS_PAGES = [START, ...OPERATION_PAGES, ...GUIDES] as const;

export type DocsPath = (typeof DOCS_PAGES)[number]["href"];
