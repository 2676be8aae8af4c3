import { microOf } from "@/lib/domain/ticket/book";
import { EMPTY_FORM, type OrderType, type TicketForm } from "@/lib/domain/ticket/form";
import { centsText } from "@/lib/domain/ticket/price-field";
import { ONE, price } from "@/lib/units";

/** A page's query, as Next hands it over: only single values count. */
export type TicketQuery = Record<string, string | undefined>;

const DECIMAL = /^0?\.\d{1,6}$/;
/** No number that fits anywhere is longer. */
const MAX_LENGTH = 24;

/**
 * A ticket filled in from an address. `price` is a fraction of a dollar, as everywhere in the
 * interface; `cents` is the text of the ticket's own field. A filled-in ticket is never sent by
 * itself.
 */
export function formFromQuery(
  query: TicketQuery,
  secondTokenId: string,
  defaultType: OrderType,
): TicketForm {
  const cents = query["cents"] ?? centsOf(query["price"]);
  const type = query["type"] === "market" || query["type"] === "limit" ? query["type"] : null;
  return {
    ...EMPTY_FORM,
    outcome: query["token"] === secondTokenId ? 1 : 0,
    action: query["side"] === "sell" ? "SELL" : "BUY",
    type: type ?? (cents === "" ? defaultType : "limit"),
    amount: short(query["amount"]),
    shares: short(query["shares"]),
    price: short(cents),
  };
}

/** The address of a filled-in ticket: the same fields, as they were typed. */
export function queryOfForm(form: TicketForm, tokenId: string): Record<string, string> {
  const fields = {
    token: tokenId,
    side: form.action === "BUY" ? "buy" : "sell",
    type: form.type,
    ...(form.type === "limit" ? { cents: form.price } : {}),
    ...(form.type === "market" && form.action === "BUY"
      ? { amount: form.amount }
      : { shares: form.shares }),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ""));
}

function centsOf(fraction: string | undefined): string {
  if (fraction === undefined || !DECIMAL.test(fraction)) return "";
  const at = microOf(Number(fraction));
  return at > 0n && at < ONE ? centsText(price(at)) : "";
}

const short = (text: string | undefined) => (text ?? "").slice(0, MAX_LENGTH);
