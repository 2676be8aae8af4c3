import { parseMicroNumber } from "@/lib/domain/ticket/book";
import {
  chooseSizeField,
  EMPTY_FORM,
  isExpiry,
  type OrderType,
  type SizeField,
  type TicketForm,
} from "@/lib/domain/ticket/form";
import { formatCents } from "@/lib/domain/ticket/price-field";
import { ONE, price } from "@/lib/units";

/** A page's query parameters. Only single values count. */
export type TicketQuery = Record<string, string | undefined>;

const DECIMAL = /^0?\.\d{1,6}$/;
/** Longer than any valid number. */
const MAX_LENGTH = 24;

/**
 * Fills in a ticket from a URL. `price` is a fraction of a dollar, as in the API; `cents` is the text
 * of the ticket's own field.
 */
export function parseFormQuery(
  query: TicketQuery,
  secondTokenId: string,
  defaultType: OrderType,
): TicketForm {
  const cents = query["cents"] ?? toCentsText(query["price"]);
  const type = query["type"] === "market" || query["type"] === "limit" ? query["type"] : null;
  const expiry = query["expiry"] ?? "";
  const kind = {
    action: query["side"] === "sell" ? "SELL" : "BUY",
    type: type ?? (cents === "" ? defaultType : "limit"),
  } as const;
  return {
    ...EMPTY_FORM,
    ...kind,
    outcome: query["token"] === secondTokenId ? 1 : 0,
    unit: parseUnit(query, kind),
    amount: short(query["amount"]),
    shares: short(query["shares"]),
    price: short(cents),
    expiry: isExpiry(expiry) ? expiry : "never",
    expires: short(query["expires"]),
    postOnly: query["postOnly"] === "true",
    fillOrKill: query["fillOrKill"] === "true",
  };
}

/** Returns the query parameters of a ticket's fields as they were typed. */
export function toFormQuery(form: TicketForm, tokenId: string): Record<string, string> {
  const fields = {
    token: tokenId,
    side: form.action === "BUY" ? "buy" : "sell",
    type: form.type,
    ...(form.type === "limit" ? { cents: form.price } : {}),
    ...(form.type === "limit" && form.expiry !== "never" && { expiry: form.expiry }),
    ...(form.type === "limit" && form.expiry === "time" && { expires: form.expires }),
    ...(form.type === "limit" && form.postOnly && { postOnly: "true" }),
    ...(form.type === "market" && form.fillOrKill && { fillOrKill: "true" }),
    ...(form.type === "market" && form.action === "BUY" && { unit: form.unit }),
    ...(chooseSizeField(form) === "amount" ? { amount: form.amount } : { shares: form.shares }),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ""));
}

/** A link to a market buy with shares and no amount needs no unit. */
function parseUnit(
  { unit, amount, shares }: TicketQuery,
  { action, type }: Pick<TicketForm, "action" | "type">,
): SizeField {
  const isOfShares = action === "BUY" && type === "market" && !amount && shares;
  return unit === "shares" || isOfShares ? "shares" : "amount";
}

function toCentsText(fraction: string | undefined): string {
  if (fraction === undefined || !DECIMAL.test(fraction)) return "";
  const at = parseMicroNumber(Number(fraction));
  return at > 0n && at < ONE ? formatCents(price(at)) : "";
}

const short = (text: string | undefined) => (text ?? "").slice(0, MAX_LENGTH);
