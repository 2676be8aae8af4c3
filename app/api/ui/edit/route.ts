import { readEditEffect } from "@/app/(dashboard)/orders/[orderId]/edit/effect";
import { sessionRead } from "@/lib/api/session-read";
import { EditEffect } from "@/lib/schemas/ticket";
import { parseMicro, price as toPrice, shares as toShares } from "@/lib/units";

export const GET = sessionRead(EditEffect, (principal, query) =>
  readEditEffect(principal, query.get("id") ?? "", readTerms(query)),
);

/** Returns the terms of a query; null if it has none. */
function readTerms(query: URLSearchParams) {
  const [price, size] = ["price", "shares"].map((name) => parseMicro(query.get(name) ?? ""));
  if (!price?.ok || !size?.ok) return null;
  return { price: toPrice(price.micro), shares: toShares(size.micro) };
}
