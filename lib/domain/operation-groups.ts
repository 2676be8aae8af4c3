/**
 * The groups of the API's operations, in reading order. Each has a page of the API reference and a
 * tag in the OpenAPI document.
 */
export const OPERATION_GROUPS = [
  {
    slug: "account",
    name: "Account",
    description: "Balance, positions and the API key that asks.",
  },
  {
    slug: "orders",
    name: "Orders",
    description: "Place orders once, look them up and cancel them.",
  },
  {
    slug: "markets",
    name: "Markets",
    description: "Find markets, their order books and price histories.",
  },
  {
    slug: "wallet",
    name: "Wallet",
    description: "Split and merge shares, set approvals, and follow transactions of the wallet.",
  },
  { slug: "events", name: "Events", description: "Follow an account without missing anything." },
  {
    slug: "webhooks",
    name: "Webhooks",
    description: "Get events sent to your server, signed and in order.",
  },
  {
    slug: "history",
    name: "History",
    description: "Fills and changes of the cash balance.",
  },
  {
    slug: "service",
    name: "Service",
    description: "Health check, and this API as OpenAPI and AsyncAPI documents.",
  },
] as const;

export type OperationGroup = (typeof OPERATION_GROUPS)[number];
