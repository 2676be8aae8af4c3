import { AnteError, ApiError } from "./errors.ts";
import { type Caller, segment } from "./caller.ts";
import type { JournalEntry } from "./journal.ts";
import { type List, makeList } from "./list.ts";
import type { CallOptions } from "./repeat.ts";
import { resubmit, submit, type SubmitOptions, type Submitter } from "./submit.ts";
import type {
  Acknowledgement,
  CancelOutcomes,
  OpenOrder,
  OpenOrderPage,
  OpenOrderQuery,
  Order,
  OrderPage,
  OrderPreview,
  OrderQuery,
  OrderRequest,
  OrderSummary,
} from "./types.ts";

/** What `resume` found out about a write of the journal. */
export type Resumed = { entry: JournalEntry } & (
  | { status: "accepted"; data: Record<string, unknown> }
  | { status: "refused"; error: ApiError }
  | { status: "unknown"; error: AnteError }
);

/** How long to look for a market after its cancel found no orders. */
const CHECK_MS = 5_000;

export class Orders {
  constructor(
    private readonly caller: Caller,
    private readonly submitter: Submitter,
  ) {}

  /**
   * Places an order exactly once. Returns as soon as it is recorded and accepted. With the status
   * `pending_approval` it waits for its owner, at `approvalUrl`.
   *
   * @throws ApiError if it was refused, which is final. Branch on its `code`.
   * @throws OutcomeUnknown with the idempotency key, if the deadline passed. See `resume`.
   */
  place(order: OrderRequest, options?: SubmitOptions): Promise<Acknowledgement> {
    return submit(this.submitter, "placeOrder", order, options);
  }

  /**
   * Repeats every write of the journal that is not settled, with its key: orders, splits and merges.
   * Call it when a program starts, and after `OutcomeUnknown`.
   */
  async resume(options?: CallOptions): Promise<Resumed[]> {
    const { journal } = this.submitter;
    if (!journal.listUnsettled) throw new TypeError("the journal needs listUnsettled() to resume");
    const resumed: Resumed[] = [];
    for (const entry of await journal.listUnsettled())
      resumed.push(await this.resumeOne(entry, options));
    return resumed;
  }

  /** Returns the order that was placed with a key, or null. A refused order can be on record too. */
  async find(idempotencyKey: string, options?: CallOptions): Promise<OrderSummary | null> {
    const page = await this.caller.read<OrderPage>("/v1/orders", { idempotencyKey }, options);
    return page.orders[0] ?? null;
  }

  /** Returns what the order would do now. Nothing is placed. */
  preview(order: OrderRequest, options?: CallOptions): Promise<OrderPreview> {
    return this.caller.write("POST", "/v1/orders/preview", order, options);
  }

  /** Returns an order in any state, with its fills and history. */
  get(orderId: string, options?: CallOptions): Promise<Order> {
    return this.caller.read(`/v1/orders/${segment("orderId", orderId)}`, {}, options);
  }

  /** Lists orders in every state, newest first. */
  list(query: OrderQuery = {}, options?: CallOptions): List<OrderSummary, OrderPage> {
    return makeList(
      (nextCursor) =>
        this.caller.read<OrderPage>("/v1/orders", { ...query, ...from(nextCursor) }, options),
      ({ orders }) => orders,
    );
  }

  /** Lists open orders, newest first. */
  listOpen(query: OpenOrderQuery = {}, options?: CallOptions): List<OpenOrder, OpenOrderPage> {
    const all = { ...query, onlyFirstPage: "true" };
    return makeList(
      (nextCursor) =>
        this.caller.read<OpenOrderPage>(
          "/v1/orders/open",
          { ...all, ...from(nextCursor) },
          options,
        ),
      ({ orders }) => orders,
    );
  }

  /** Cancels an order and returns its record. Canceling twice returns the same. */
  cancel(orderId: string, options?: CallOptions): Promise<Order> {
    return this.caller.write(
      "DELETE",
      `/v1/orders/${segment("orderId", orderId)}`,
      undefined,
      options,
    );
  }

  /**
   * Cancels all open orders, or those of one market.
   *
   * @throws ApiError MARKET_NOT_FOUND if there is no such market, so that a wrong name isn't taken for a market
   *   without orders. It needs the scope `read`.
   */
  async cancelAll(
    { market }: { market?: string } = {},
    options?: CallOptions,
  ): Promise<CancelOutcomes> {
    const path = market === undefined ? "" : `?market=${encodeURIComponent(market)}`;
    const outcomes = await this.caller.write<CancelOutcomes>(
      "DELETE",
      `/v1/orders${path}`,
      undefined,
      options,
    );
    const hasFound = outcomes.canceled.length + outcomes.notCanceled.length > 0;
    if (market !== undefined && !hasFound) await this.requireMarket(market, options);
    return outcomes;
  }

  private async requireMarket(market: string, options?: CallOptions): Promise<void> {
    try {
      const soon = { ...options, deadlineMs: CHECK_MS };
      await this.caller.read(`/v1/markets/${segment("market", market)}`, {}, soon);
    } catch (error) {
      // The cancel itself was done. A key without the scope `read` can't look further.
      if (error instanceof ApiError && error.code === "MARKET_NOT_FOUND") throw error;
    }
  }

  private async resumeOne(entry: JournalEntry, options?: CallOptions): Promise<Resumed> {
    try {
      const data = await resubmit<Record<string, unknown>>(this.submitter, entry, options);
      return { entry, status: "accepted", data };
    } catch (error) {
      if (error instanceof ApiError) return { entry, status: "refused", error };
      if (error instanceof AnteError) return { entry, status: "unknown", error };
      throw error;
    }
  }
}

const from = (nextCursor: string | undefined) => (nextCursor === undefined ? {} : { nextCursor });
