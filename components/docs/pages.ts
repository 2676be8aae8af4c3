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

/** The parts of the documentation with their pages, in reading order. */
export const DOCS_PARTS = [
  { title: "Start", pages: [START] },
  { title: "Operations", pages: OPERATION_PAGES },
  { title: "Guides", pages: GUIDES },
] as const;

/** All pages of the documentation, in reading order. */
export const DOCS_PAGES = [START, ...OPERATION_PAGES, ...GUIDES] as const;

export type DocsPath = (typeof DOCS_PAGES)[number]["href"];
