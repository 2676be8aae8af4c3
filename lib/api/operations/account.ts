import "server-only";
import { z } from "zod";
import { NO_INPUT, type Operation, VENUE_ERRORS } from "@/lib/api/operations/operation";
import { Balance, Portfolio } from "@/lib/schemas/account";
import { PositionId } from "@/lib/schemas/parameters";
import { ClaimResult } from "@/lib/schemas/wallet-transactions";

export const getBalance = {
  method: "GET",
  path: "/v1/account/balance",
  access: "read",
  rate: "read",
  isInContract: true,
  group: "Account",
  title: "Balance",
  summary: "Get the USDC balance, allowance and addresses",
  description:
    "Cash includes what open buy orders reserve. Base units are millionths of a USDC, as text, " +
    "so that no client loses digits.",
  ...NO_INPUT,
  response: Balance,
  errors: ["WALLET_NOT_FOUND", ...VENUE_ERRORS],
  age: "figures",
} as const satisfies Operation;

export const listPositions = {
  method: "GET",
  path: "/v1/positions",
  access: "read",
  rate: "read",
  isInContract: true,
  group: "Account",
  title: "Positions",
  summary: "List positions with portfolio value, profit and loss",
  description:
    "Everything the account holds at current prices. A position becomes redeemable when its " +
    "market resolves and stays listed until it is claimed.",
  ...NO_INPUT,
  response: Portfolio,
  errors: ["WALLET_NOT_FOUND", ...VENUE_ERRORS],
  age: "figures",
} as const satisfies Operation;

export const redeemPosition = {
  method: "POST",
  path: "/v1/positions/{positionId}/redeem",
  access: "trade",
  rate: "write",
  isInContract: false,
  group: "Account",
  title: "Redeem a position",
  summary: "Claim a position of a resolved market",
  description:
    "Claims the payout of a resolved position: 1 USDC for each winning share, nothing for a " +
    "losing one. The position's id is its token id. A live claim is a transaction of the wallet, " +
    "which claims the whole market and goes on in the background: status says how far it is, and " +
    "repeated requests return the same claim.",
  ...NO_INPUT,
  params: z.object({ positionId: PositionId }),
  response: ClaimResult,
  errors: [
    "INSUFFICIENT_SHARES",
    "MARKET_NOT_FOUND",
    "ORDER_OUTCOME_UNKNOWN",
    "ORDER_REJECTED",
    "RISK_LIMIT_EXCEEDED",
    "SESSION_KEY_EXPIRED",
    "TRADING_FROZEN",
    "WALLET_NOT_FOUND",
    ...VENUE_ERRORS,
  ],
} as const satisfies Operation;
