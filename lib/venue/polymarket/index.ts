import "server-only";
import {
  findOrder,
  getCash,
  getTrades,
  listOpenOrders,
  listTrades,
} from "@/lib/venue/polymarket/account";
import { obtainCredentials } from "@/lib/venue/polymarket/auth";
import { getHoldings, getTotalPnl } from "@/lib/venue/polymarket/holdings";
import { polymarketMarkets } from "@/lib/venue/polymarket/market-source";
import { cancelOrder, postOrder } from "@/lib/venue/polymarket/post";
import { signOrder } from "@/lib/venue/polymarket/sign";
import { openUserStream } from "@/lib/venue/polymarket/user-stream";
import type { RemoteVenue } from "@/lib/venue/port";

/** Polymarket, as its public hosts speak. It keeps no record: the services do. */
export const polymarketVenue: RemoteVenue = {
  kind: "remote",
  ...polymarketMarkets,
  obtainCredentials,
  signOrder,
  postOrder,
  cancelOrder,
  findOrder,
  listOpenOrders,
  listTrades,
  getTrades,
  getCash,
  getHoldings,
  getTotalPnl,
  openUserStream,
};
