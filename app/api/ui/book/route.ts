import { sessionRead } from "@/lib/http/session-read";
import { LiveMarket } from "@/lib/schemas/market-pages";
import { readLiveMarket } from "@/lib/services/stream/read-live-market";

export const GET = sessionRead(LiveMarket, (principal, query) =>
  readLiveMarket(principal, query.get("market") ?? "", query.get("token") ?? undefined),
);
