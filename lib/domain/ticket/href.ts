/**
 * The query parameters of a ticket. `price` is a fraction of a dollar, as in the API; `cents` is the
 * text of the ticket's own field.
 */
export const TICKET_FIELDS = [
  "token",
  "side",
  "type",
  "unit",
  "price",
  "cents",
  "shares",
  "amount",
  "expiry",
  "expires",
  "postOnly",
  "fillOrKill",
  "key",
] as const;

type TicketFields = Partial<Record<(typeof TICKET_FIELDS)[number], string>>;

/** Returns the URL of a filled-in ticket. Without a slug, the trade page finds the token's market. */
export function buildTicketHref(slug: string | null, fields: TicketFields): string {
  const path = slug === null ? "/trade" : `/markets/${slug}`;
  return `${path}?${new URLSearchParams(fields)}#ticket`;
}
