import { sessionRead } from "@/lib/api/session-read";
import { LiveMarket } from "@/lib/schemas/market-pages";
import { readLiveMarket } from "@/lib/markets/read-live-market";

export const GET = sessionRead(LiveMarket, (principal, query) =>
  readLiveMarket(principal, query.get("market") ?? "", query.get("token") ?? undefined),
);
