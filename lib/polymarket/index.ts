import "server-only";
import {
  findOrder,
  getCash,
  getShareAllowance,
  getTrades,
  listOpenOrders,
  listTrades,
  refreshBalances,
} from "@/lib/polymarket/account";
import { obtainCredentials } from "@/lib/polymarket/auth";
import { getBuilder } from "@/lib/polymarket/builder";
import { checkContract } from "@/lib/polymarket/check-contract";
import { getHoldings, getTotalPnl } from "@/lib/polymarket/holdings";
import { isAnswering } from "@/lib/polymarket/http";
import { polymarketMarkets } from "@/lib/polymarket/market-source";
import { postOrder } from "@/lib/polymarket/post-order";
import { signOrder } from "@/lib/polymarket/sign-order";
import { openUserStream } from "@/lib/polymarket/user-stream";
import type { RemoteVenue } from "@/lib/venue/port";
import { cancelAll, cancelOrder, cancelOrders } from "@/lib/polymarket/cancel-orders";

/** The Polymarket adapter. It stores nothing: the services do. */
export const polymarketVenue: RemoteVenue = {
  kind: "remote",
  ...polymarketMarkets,
  obtainCredentials,
  getBuilder,
  signOrder,
  postOrder,
  cancelOrder,
  cancelOrders,
  cancelAll,
  findOrder,
  listOpenOrders,
  listTrades,
  getTrades,
  getCash,
  getShareAllowance,
  refreshBalances,
  getHoldings,
  getTotalPnl,
  openUserStream,
  isAnswering,
  checkContract,
};
