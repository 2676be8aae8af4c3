import "server-only";
import { getBalance } from "@/lib/accounts/get-balance";
import { KEPT_DAYS } from "@/lib/api/middleware/request-log";
import { OPERATIONS, type OperationId } from "@/lib/api/operations";
import type { KeyPrincipal, Principal } from "@/lib/auth/principal";
import { now, runInPast } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { touchApiKey } from "@/lib/db/queries/api-keys";
import { type ApiRequestRow, insertApiRequests } from "@/lib/db/queries/api-requests";
import { selectPositions } from "@/lib/db/queries/positions";
import { type Action, HISTORY_MS, planHistory } from "@/lib/demo/plan-history";
import { roundToLots } from "@/lib/domain/lots";
import { AppError, assert, type ErrorCode } from "@/lib/errors";
import { DAY_MS } from "@/lib/exchange/catalogue/template";
import { paperNow } from "@/lib/exchange/clock";
import { tick } from "@/lib/exchange/ticker";
import { newId } from "@/lib/ids";
import { announceResolutions } from "@/lib/markets/announce-resolutions";
import { listMarkets } from "@/lib/markets/list-markets";
import { setWatched } from "@/lib/markets/watchlist";
import { markRead } from "@/lib/notifications/unread";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { getOrder } from "@/lib/orders/get-order";
import { listOpenOrders } from "@/lib/orders/list-open-orders";
import { placeOrder } from "@/lib/orders/place-order";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { readErrorCode } from "@/lib/schemas/envelope";
import type { PlaceOrderBody } from "@/lib/schemas/orders";
import { shares } from "@/lib/units";

/** The key trades since so many days ago; before, the owner did by hand. */
const KEY_DAYS = 21;
const FIRST_EPOCH = 1;

/**
 * Trades the planned history on the real exchange, with the clock at the instant of each action.
 * `open` creates the account at the start of the history and returns its key.
 */
export async function playHistory(open: () => Promise<KeyPrincipal>): Promise<void> {
  await runInPast(async (standAt) => {
    const until = paperNow();
    const end = now();
    const plan = planHistory(until);
    standAt(HISTORY_MS);
    const owner = await open();
    const trader = new Trader(owner, end);
    for (const { at, action } of plan) {
      standAt(until - at);
      await trader.act(action);
    }
    await trader.writeRequestLog();
    // A visitor is told what happens from now on.
    await markRead(owner, Number.MAX_SAFE_INTEGER);
  });
}

/** The response to a request, as far as the request log keeps it. */
interface Outcome {
  status: number;
  errorCode: ErrorCode | null;
  message: string | null;
}

const SUCCESS: Outcome = { status: 200, errorCode: null, message: null };

/** Does the actions of a plan for the owner of an API key. */
class Trader {
  readonly #key: KeyPrincipal;
  /** When the history ends. */
  readonly #end: number;
  /** Ids of placed orders by their name in the plan. */
  readonly #orderIds = new Map<string, string>();
  #latestOrderId = "";
  /** The order of the latest placement; null if the request failed before it was recorded. */
  #requestedId: string | null = null;
  #readCount = 0;
  readonly #requests: ApiRequestRow[] = [];

  constructor(key: KeyPrincipal, end: number) {
    this.#key = key;
    this.#end = end;
  }

  async act(action: Action): Promise<void> {
    switch (action.kind) {
      case "place":
        await this.#place(action.order, action.name);
        break;
      case "sell":
        await this.#sell(action);
        break;
      case "cancel":
        await this.#cancel(action.name);
        break;
      case "claim":
        await this.#send("redeemPosition", { positionId: action.tokenId }, (principal) =>
          redeemPosition(principal, action.tokenId),
        );
        break;
      case "watch":
        await setWatched(this.#key, [action.marketId], true);
        break;
      case "read":
        await this.#read();
        break;
      case "settle":
        await tick();
        await announceResolutions();
    }
  }

  /** Writes the requests of the days that the log keeps, and the key's last use. */
  async writeRequestLog(): Promise<void> {
    const db = await getDb();
    const last = this.#requests.at(-1)?.createdAt;
    assert(last, "the plan has requests");
    await touchApiKey(db, this.#key.keyId, last, last);
    await insertApiRequests(db, this.#requests);
  }

  async #place(order: PlaceOrderBody, name?: string): Promise<void> {
    this.#requestedId = null;
    await this.#send("placeOrder", {}, async (principal) => {
      const { answer, orderId } = await placeOrder(principal, order);
      this.#requestedId = orderId;
      this.#latestOrderId = orderId;
      if (name !== undefined) this.#orderIds.set(name, orderId);
      const code = readErrorCode(answer);
      if (code !== null) throw new AppError(code, "The order was rejected.");
    });
  }

  async #sell({ tokenId, percent, limit }: Extract<Action, { kind: "sell" }>): Promise<void> {
    const holding = { userId: this.#key.userId, epoch: FIRST_EPOCH, tokenId };
    const [position] = await selectPositions(await getDb(), [holding]);
    assert(position, "the plan sells what it has bought");
    const size = roundToLots((position.shares * percent) / 100n);
    const terms =
      limit === undefined
        ? ({ orderType: "market" } as const)
        : ({ orderType: "limit", price: limit } as const);
    await this.#place({ tokenId, action: "SELL", shares: shares(size), ...terms });
  }

  async #cancel(name: string): Promise<void> {
    const orderId = this.#orderIds.get(name);
    assert(orderId, "the plan cancels what it has placed");
    await this.#send("cancelOrder", { orderId }, (principal) => cancelOrder(principal, orderId));
  }

  /** Sends what a trading program asks between its orders, one request after the other. */
  async #read(): Promise<void> {
    const requests = [
      () => this.#send("getBalance", {}, (principal) => getBalance(principal)),
      () => this.#send("listOpenOrders", {}, (principal) => listOpenOrders(principal, {})),
      () => this.#send("listMarkets", {}, (principal) => listMarkets(principal, { limit: 20 })),
      () => this.#send("listPositions", {}, (principal) => getPortfolio(principal)),
      () => this.#sendGetOrder(this.#latestOrderId),
      () => this.#sendGetOrder("ord_unknown"),
    ];
    await requests[this.#readCount % requests.length]?.();
    this.#readCount += 1;
  }

  #sendGetOrder(orderId: string): Promise<void> {
    return this.#send("getOrder", { orderId }, (principal) => getOrder(principal, orderId));
  }

  /** Runs the use case of an operation as its route does, and keeps the request for the log. */
  async #send(
    operationId: OperationId,
    params: Readonly<Record<string, string>>,
    run: (principal: Principal) => Promise<unknown>,
  ): Promise<void> {
    const isByHand = now() < this.#end - KEY_DAYS * DAY_MS;
    const requestId = newId("req");
    const startedAt = performance.now();
    const outcome = await toOutcome(
      run({ ...this.#key, requestId, ...(isByHand && { keyId: null }) }),
    );
    if (now() < this.#end - KEPT_DAYS * DAY_MS) return;
    const { method, path } = OPERATIONS[operationId];
    this.#requests.push({
      id: requestId,
      userId: this.#key.userId,
      keyId: this.#key.keyId,
      method,
      path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ""),
      ...outcome,
      durationMs: Math.round(performance.now() - startedAt),
      orderId: operationId === "placeOrder" ? this.#requestedId : null,
      createdAt: new Date(now()),
    });
  }
}

async function toOutcome(response: Promise<unknown>): Promise<Outcome> {
  try {
    await response;
    return SUCCESS;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { status: error.status, errorCode: error.code, message: error.message };
  }
}
