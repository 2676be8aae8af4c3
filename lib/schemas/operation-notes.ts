import type { OperationId } from "@/lib/http/routes";

/** The chapters of the reference, in reading order. */
export const OPERATION_GROUPS = ["Account", "Orders", "Markets", "History", "Service"] as const;

interface OperationNote {
  group: (typeof OPERATION_GROUPS)[number];
  /** Two or three words, for a list of contents. */
  title: string;
  /** What a caller must know beyond the summary. */
  description: string;
}

/**
 * The prose of every operation, in reading order: for the OpenAPI document and for the pages made
 * from it.
 */
export const OPERATION_NOTES: Record<OperationId, OperationNote> = {
  getBalance: {
    group: "Account",
    title: "Balance",
    description:
      "Cash includes what open buy orders reserve. Base units are millionths of a USDC, as text, " +
      "so that no client loses digits.",
  },
  listPositions: {
    group: "Account",
    title: "Positions",
    description:
      "Everything the account holds at current prices. A position becomes redeemable when its " +
      "market resolves and stays listed until it is claimed.",
  },
  redeemPosition: {
    group: "Account",
    title: "Redeem a position",
    description:
      "Claims the payout of a resolved position: 1 USDC for each winning share, nothing for a " +
      "losing one. The position's id is its token id.",
  },
  getKey: {
    group: "Account",
    title: "This key",
    description: "The key that made the request: its mode, scopes, expiry and last use.",
  },
  placeOrder: {
    group: "Orders",
    title: "Place an order",
    description:
      "A market BUY needs amount or shares, a market SELL needs shares, a limit order needs price " +
      "and shares (a BUY may give amount instead). The price of a market order is the worst one " +
      "that is acceptable. 200 means recorded and accepted; after a 502 or no answer at all, send " +
      "the same body with the same idempotencyKey again.",
  },
  previewOrder: {
    group: "Orders",
    title: "Preview an order",
    description:
      "Takes the body of an order and says what it would do now: average price, fee, cost and what " +
      "would rest. Nothing is placed or reserved. What the account or the book would refuse comes " +
      "back in refusal, with status 200.",
  },
  listOpenOrders: {
    group: "Orders",
    title: "Open orders",
    description:
      "Orders that stand on the book. Without onlyFirstPage=true everything from the cursor on is " +
      "listed, up to 1,000 orders.",
  },
  listOrders: {
    group: "Orders",
    title: "All orders",
    description: "Every order the account ever placed, refused ones included.",
  },
  getOrder: {
    group: "Orders",
    title: "One order",
    description:
      "The order's record with its fills and its events, for every order ever placed. This is how " +
      "a program learns what became of an order.",
  },
  cancelOrder: {
    group: "Orders",
    title: "Cancel an order",
    description:
      "Cancels what has not filled and releases what it reserved. Canceling twice answers the same " +
      "record; an order that filled first cannot be canceled.",
  },
  cancelOrders: {
    group: "Orders",
    title: "Cancel all orders",
    description: "Cancels all open orders at once, and says which ones could not be canceled.",
  },
  listMarkets: {
    group: "Markets",
    title: "Markets",
    description: "Markets with both outcomes, their token ids and best prices.",
  },
  getMarket: {
    group: "Markets",
    title: "One market",
    description: "A market with its rules and where its result comes from.",
  },
  getBook: {
    group: "Markets",
    title: "Order book",
    description:
      "The book of one outcome, best prices first. The other outcome's book is its mirror: a bid " +
      "at p is an ask at 1 - p.",
  },
  getHistory: {
    group: "Markets",
    title: "Price history",
    description: "Prices of one outcome over time, oldest first.",
  },
  listFills: {
    group: "History",
    title: "Fills",
    description: "What was bought and sold, with price, fee and whether it took or made liquidity.",
  },
  listActivity: {
    group: "History",
    title: "Activity",
    description: "Every line of the account's cash: deposits, trades, fees, payouts.",
  },
  getHealth: {
    group: "Service",
    title: "Health",
    description: "Open to all. 502 when the service cannot do its work.",
  },
  getOpenApi: {
    group: "Service",
    title: "OpenAPI document",
    description:
      "Open to all, without the envelope, so that tools can read it. This reference is made from it.",
  },
};
