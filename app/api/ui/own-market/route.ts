import { sessionRead } from "@/lib/api/session-read";
import { getOwnMarket } from "@/lib/activity/get-own-market";
import { OwnMarket } from "@/lib/schemas/market-pages";

export const GET = sessionRead(OwnMarket, (principal, query) =>
  getOwnMarket(principal, query.get("market") ?? ""),
);
