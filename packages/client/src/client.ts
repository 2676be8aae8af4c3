import { Caller, readBaseUrl, segment } from "./caller.ts";
import { follow, type FollowedEvent, type FollowOptions } from "./follow.ts";
import { type Journal, memoryJournal } from "./journal.ts";
import { type List, makeList } from "./list.ts";
import { Orders } from "./orders.ts";
import type { CallOptions, Patience } from "./repeat.ts";
import { submit, type SubmitOptions, type Submitter } from "./submit.ts";
import type { Server } from "./transport.ts";
import type {
  AccountEvent,
  ActivityLine,
  ActivityPage,
  ActivityQuery,
  Balance,
  ChangeWebhook,
  ClaimResult,
  CreateWebhook,
  DeliveryQuery,
  EventPage,
  EventQuery,
  Fill,
  FillPage,
  FillQuery,
  FrozenKey,
  Health,
  HistoryQuery,
  KeyWithLimits,
  LowerLimits,
  Market,
  MarketDetail,
  MarketPage,
  MarketQuery,
  OrderBook,
  PairsRequest,
  Portfolio,
  PriceHistory,
  WalletApprovals,
  WalletTransaction,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookReplay,
  WebhookTest,
  WebhookWithSecret,
} from "./types.ts";
import { verifyWebhook } from "./webhooks.ts";

export interface AnteOptions {
  /** The address of the service, such as `https://ante.example`. */
  baseUrl: string;
  /** `ante_paper_…` trades paper money, `ante_live_…` real money. Markets and orders need one. */
  apiKey?: string | undefined;
  /** Where writes are remembered until their outcome is known. In memory by default. */
  journal?: Journal | undefined;
  /** How long an attempt may take; 15 seconds by default. */
  attemptTimeoutMs?: number | undefined;
  /** How long all attempts of a call may take together; 60 seconds by default. */
  deadlineMs?: number | undefined;
  /** The pause after the first attempt, 250 milliseconds by default. Each further one is twice as long. */
  firstPauseMs?: number | undefined;
  /** Another `fetch`, for a proxy or a test. */
  fetch?: typeof fetch | undefined;
}

const API_KEY = /^ante_(paper|live)_([0-9A-Za-z]{8})[0-9A-Za-z]+$/;

/** Returns whether a text has the form of an API key. Only the service knows whether it is one. */
export const isApiKey = (text: string): boolean => API_KEY.test(text);

/** The client of a betting account. */
export class Ante {
  /** The mode of the API key; null without one. */
  readonly mode: "paper" | "live" | null;
  readonly orders: Orders;
  private readonly caller: Caller;
  private readonly server: Server;
  private readonly patience: Patience;
  private readonly submitter: Submitter;

  constructor(options: AnteOptions) {
    const { baseUrl, apiKey, journal = memoryJournal() } = options;
    const [, mode = null, keyId = ""] = API_KEY.exec(apiKey ?? "") ?? [];
    if (apiKey !== undefined && mode === null)
      throw new TypeError("apiKey must be an API key of Ante: ante_paper_… or ante_live_…");
    this.mode = mode as "paper" | "live" | null;
    // A method of `globalThis` must be called on it.
    const send = options.fetch ?? ((...given: Parameters<typeof fetch>) => fetch(...given));
    this.server = { baseUrl: readBaseUrl(baseUrl), getApiKey: () => apiKey, fetch: send };
    this.patience = {
      attemptTimeoutMs: options.attemptTimeoutMs ?? 15_000,
      deadlineMs: options.deadlineMs ?? 60_000,
      firstPauseMs: options.firstPauseMs ?? 250,
    };
    this.caller = new Caller(this.server, this.patience);
    this.submitter = { server: this.server, patience: this.patience, journal, keyId };
    this.orders = new Orders(this.caller, this.submitter);
  }

  readonly account = {
    /** Returns addresses, allowance and balance. */
    balance: (options?: CallOptions): Promise<Balance> =>
      this.caller.read("/v1/account/balance", {}, options),
    /** Lists ledger lines with the running balance, newest first. */
    activity: (
      query: ActivityQuery = {},
      options?: CallOptions,
    ): List<ActivityLine, ActivityPage> =>
      this.list("/v1/activity", query, ({ lines }) => lines, options),
    /** Lists fills, newest first. */
    fills: (query: FillQuery = {}, options?: CallOptions): List<Fill, FillPage> =>
      this.list("/v1/fills", query, ({ fills }) => fills, options),
  };

  readonly positions = {
    /** Returns portfolio value, profit and loss, and all positions. */
    list: (options?: CallOptions): Promise<Portfolio> =>
      this.caller.read("/v1/positions", {}, options),
    /** Claims a position of a resolved market. */
    redeem: (positionId: string, options?: CallOptions): Promise<ClaimResult> =>
      this.caller.writeOnce(
        `/v1/positions/${segment("positionId", positionId)}/redeem`,
        undefined,
        options,
      ),
    /** Turns USDC into shares of both outcomes, exactly once. */
    split: (pairs: PairsRequest, options?: SubmitOptions): Promise<WalletTransaction> =>
      submit(this.submitter, "splitPosition", pairs, options),
    /** Turns shares of both outcomes into USDC, exactly once. */
    merge: (pairs: PairsRequest, options?: SubmitOptions): Promise<WalletTransaction> =>
      submit(this.submitter, "mergePositions", pairs, options),
  };

  readonly wallet = {
    /** Shows what the live wallet has approved. */
    approvals: (options?: CallOptions): Promise<WalletApprovals> =>
      this.caller.read("/v1/wallet/approvals", {}, options),
    /** Gives the approvals that are missing. */
    approve: (options?: CallOptions): Promise<WalletApprovals> =>
      this.caller.writeOnce("/v1/wallet/approvals", undefined, options),
    /** Lists claims, splits, merges and approvals, newest first. */
    transactions: async (options?: CallOptions): Promise<WalletTransaction[]> => {
      const path = "/v1/wallet/transactions";
      const page = await this.caller.read<{ transactions: WalletTransaction[] }>(path, {}, options);
      return page.transactions;
    },
    transaction: (transactionId: string, options?: CallOptions): Promise<WalletTransaction> =>
      this.caller.read(
        `/v1/wallet/transactions/${segment("transactionId", transactionId)}`,
        {},
        options,
      ),
    /** Cancels a transaction that was not submitted. */
    cancelTransaction: (transactionId: string, options?: CallOptions): Promise<WalletTransaction> =>
      this.caller.write(
        "DELETE",
        `/v1/wallet/transactions/${segment("transactionId", transactionId)}`,
        undefined,
        options,
      ),
  };

  readonly markets = {
    /** Lists markets, the most traded first. */
    list: (query: MarketQuery = {}, options?: CallOptions): List<Market, MarketPage> =>
      this.list("/v1/markets", query, ({ markets }) => markets, options),
    /** Returns a market by its condition id or slug. */
    get: (marketId: string, options?: CallOptions): Promise<MarketDetail> =>
      this.caller.read(`/v1/markets/${segment("marketId", marketId)}`, {}, options),
    /** Returns the order book of an outcome, by default the first one. */
    book: (
      marketId: string,
      query: { tokenId?: string } = {},
      options?: CallOptions,
    ): Promise<OrderBook> =>
      this.caller.read(`/v1/markets/${segment("marketId", marketId)}/book`, query, options),
    /** Returns former prices of an outcome. */
    history: (
      marketId: string,
      query: HistoryQuery = {},
      options?: CallOptions,
    ): Promise<PriceHistory> =>
      this.caller.read(`/v1/markets/${segment("marketId", marketId)}/history`, query, options),
  };

  readonly events = {
    /** Reads events after a number. With `waitSeconds` it waits until there is one. */
    read: (query: EventQuery = {}, options?: CallOptions): Promise<EventPage> =>
      this.caller.read("/v1/events", query, options),
    /**
     * Follows the account: yields what happened after number `after`, and then each new event. It connects
     * again whenever the connection breaks, and misses none.
     */
    follow: (options: FollowOptions = {}): AsyncGenerator<AccountEvent, void, void> =>
      this.followEvents(options),
    /** Follows as `follow`, and yields the text of each event too, to forward it. */
    followText: (options: FollowOptions = {}): AsyncGenerator<FollowedEvent, void, void> =>
      this.followFrom(options),
  };

  readonly webhooks = {
    /** Verifies a message and returns its event. It needs no API key. */
    verify: verifyWebhook,
    list: async (options?: CallOptions): Promise<Webhook[]> => {
      const page = await this.caller.read<{ webhooks: Webhook[] }>("/v1/webhooks", {}, options);
      return page.webhooks;
    },
    /** Creates an endpoint. The response has its secret, which nothing shows again. */
    create: (webhook: CreateWebhook, options?: CallOptions): Promise<WebhookWithSecret> =>
      this.caller.writeOnce("/v1/webhooks", webhook, options),
    get: (webhookId: string, options?: CallOptions): Promise<Webhook> =>
      this.caller.read(toWebhookPath(webhookId), {}, options),
    change: (webhookId: string, change: ChangeWebhook, options?: CallOptions): Promise<Webhook> =>
      this.caller.write("PATCH", toWebhookPath(webhookId), change, options),
    delete: (webhookId: string, options?: CallOptions): Promise<{ id: string }> =>
      this.caller.write("DELETE", toWebhookPath(webhookId), undefined, options),
    /** Replaces the secret. For 24 hours messages have signatures of both. */
    rotate: (webhookId: string, options?: CallOptions): Promise<WebhookWithSecret> =>
      this.caller.writeOnce(`${toWebhookPath(webhookId)}/rotate`, undefined, options),
    test: (webhookId: string, options?: CallOptions): Promise<WebhookTest> =>
      this.caller.writeOnce(`${toWebhookPath(webhookId)}/test`, undefined, options),
    deliveries: (
      webhookId: string,
      query: DeliveryQuery = {},
      options?: CallOptions,
    ): List<WebhookDelivery, WebhookDeliveryPage> =>
      this.list(
        `${toWebhookPath(webhookId)}/deliveries`,
        query,
        ({ deliveries }) => deliveries,
        options,
      ),
    resend: (
      webhookId: string,
      deliveryId: string,
      options?: CallOptions,
    ): Promise<WebhookDelivery> =>
      this.caller.writeOnce(
        `${toWebhookPath(webhookId)}/deliveries/${segment("deliveryId", deliveryId)}/resend`,
        undefined,
        options,
      ),
    /** Sends every event after a number again. */
    replay: (webhookId: string, after = 0, options?: CallOptions): Promise<WebhookReplay> =>
      this.caller.writeOnce(
        `${toWebhookPath(webhookId)}/replay?after=${after}`,
        undefined,
        options,
      ),
  };

  readonly key = {
    /** Describes the API key, and what is left of its limits. */
    get: (options?: CallOptions): Promise<KeyWithLimits> =>
      this.caller.read("/v1/key", {}, options),
    /** Lowers limits of the key. Only its owner can raise them. */
    lowerLimits: (limits: LowerLimits["limits"], options?: CallOptions): Promise<KeyWithLimits> =>
      this.caller.write("PATCH", "/v1/key", { limits }, options),
    /** Stops the key from placing orders and cancels its open ones. Only its owner can thaw it. */
    freeze: (options?: CallOptions): Promise<FrozenKey> =>
      this.caller.write("POST", "/v1/freeze", undefined, options),
  };

  /** Returns whether the service is reachable. Needs no API key. */
  health(options?: CallOptions): Promise<Health> {
    return this.caller.read("/health", {}, options);
  }

  private list<Item, Page extends { nextCursor: string | null }>(
    path: string,
    query: object,
    getItems: (page: Page) => readonly Item[],
    options?: CallOptions,
  ): List<Item, Page> {
    return makeList(
      (nextCursor) =>
        this.caller.read<Page>(
          path,
          { ...query, ...(nextCursor === undefined ? {} : { nextCursor }) },
          options,
        ),
      getItems,
    );
  }

  private async *followEvents(options: FollowOptions): AsyncGenerator<AccountEvent, void, void> {
    for await (const { event } of this.followFrom(options)) yield event;
  }

  private async *followFrom({
    after,
    ...options
  }: FollowOptions): AsyncGenerator<FollowedEvent, void, void> {
    // Asked for before the first connection, so that nothing is missed if that one breaks at once.
    const start = after ?? (await this.events.read({ limit: 1 }, options)).lastSeq;
    yield* follow(this.server, this.patience, { ...options, after: start });
  }
}

const toWebhookPath = (webhookId: string) => `/v1/webhooks/${segment("webhookId", webhookId)}`;
