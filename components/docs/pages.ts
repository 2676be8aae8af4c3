/** The pages of the documentation, in reading order. */
export const DOCS_PAGES = [
  { href: "/docs", label: "API reference" },
  { href: "/docs/order-states", label: "Order states" },
  { href: "/docs/retries", label: "Retries" },
  { href: "/docs/errors", label: "Errors" },
  { href: "/docs/money", label: "Money" },
  { href: "/docs/paper-and-live", label: "Paper and live" },
] as const;
