import "server-only";
import type { Operation } from "@/lib/api/operations/operation";
import { getBalance, listPositions, redeemPosition } from "@/lib/api/operations/account";
import { freezeKey, getKey, lowerLimits } from "@/lib/api/operations/keys";
import { listEvents, streamEvents } from "@/lib/api/operations/events";
import { listActivity, listFills } from "@/lib/api/operations/history";
import { getBook, getHistory, getMarket, listMarkets } from "@/lib/api/operations/markets";
import {
  cancelOrder,
  cancelOrders,
  getOrder,
  listOpenOrders,
  listOrders,
  placeOrder,
  previewOrder,
} from "@/lib/api/operations/orders";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  replayEvents,
  resendDelivery,
  rotateWebhook,
  testWebhook,
} from "@/lib/api/operations/webhooks";
import {
  cancelTransaction,
  getApprovals,
  getTransaction,
  listTransactions,
  mergePositions,
  setApprovals,
  splitPosition,
} from "@/lib/api/operations/wallet";
import { getAsyncApi, getHealth, getOpenApi } from "@/lib/api/operations/service";

/** Every operation of the interface by its id, in reading order. Any other path is a 404. */
export const OPERATIONS = {
  getBalance,
  listPositions,
  redeemPosition,
  splitPosition,
  mergePositions,
  getApprovals,
  setApprovals,
  listTransactions,
  getTransaction,
  cancelTransaction,
  getKey,
  lowerLimits,
  freezeKey,
  placeOrder,
  previewOrder,
  listOpenOrders,
  listOrders,
  getOrder,
  cancelOrder,
  cancelOrders,
  listMarkets,
  getMarket,
  getBook,
  getHistory,
  listEvents,
  streamEvents,
  listWebhooks,
  createWebhook,
  getWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhook,
  testWebhook,
  listDeliveries,
  resendDelivery,
  replayEvents,
  listFills,
  listActivity,
  getHealth,
  getOpenApi,
  getAsyncApi,
} as const satisfies Record<string, Operation>;

export type Operations = typeof OPERATIONS;
export type OperationId = keyof Operations;
