import * as activity from "@/app/api/v1/activity/route";
import * as balance from "@/app/api/v1/account/balance/route";
import * as book from "@/app/api/v1/markets/[marketId]/book/route";
import * as events from "@/app/api/v1/events/route";
import * as key from "@/app/api/v1/key/route";
import * as market from "@/app/api/v1/markets/[marketId]/route";
import * as markets from "@/app/api/v1/markets/route";
import * as order from "@/app/api/v1/orders/[orderId]/route";
import * as orders from "@/app/api/v1/orders/route";
import * as positions from "@/app/api/v1/positions/route";
import * as preview from "@/app/api/v1/orders/preview/route";
import { createRouter } from "@/lib/api/router";
import { serveMcp } from "@/lib/mcp/serve-mcp";

/** The operations that the tools call. The Node server uses the router of the whole interface. */
const router = createRouter([
  activity,
  balance,
  book,
  events,
  key,
  market,
  markets,
  order,
  orders,
  positions,
  preview,
]);

const answer = (request: Request) => serveMcp(request, router);

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
