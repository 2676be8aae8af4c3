// A test double of Polymarket whose markets and books each test controls, over HTTP.
import { beforeEach } from "vitest";
import { toPositionConditionId } from "@/lib/polymarket/protocol/position-id";
import { readPositionIds, readTokenId } from "@/tests/support/polymarket/recorded-data";
import {
  type UpstreamRequest,
  useUpstream,
  type Upstream,
} from "@/tests/support/polymarket/upstream";

interface WireLevel {
  price: string;
  size: string;
}

interface Book {
  bids: WireLevel[];
  asks: WireLevel[];
  /** When the book last changed, in milliseconds. */
  timestamp: string;
}

interface Listed {
  wire: Record<string, unknown>;
  rules: Record<string, unknown>;
  book: Book | null;
  history: { t: number; p: number }[];
}

export interface LiveMarket {
  id: string;
  slug: string;
  first: string;
  second: string;
}

interface MarketOptions {
  tick?: number;
  feeRate?: number;
  isNegRisk?: boolean;
  /** Lists a market of Protocol V2 with position ids and both lengths of its condition id. */
  isV2?: boolean;
  bids?: WireLevel[];
  asks?: WireLevel[];
  /** Overrides of the market's fields. */
  wire?: Record<string, unknown>;
  rules?: Record<string, unknown>;
}

const EVENT = { slug: "event", title: "An event", endDate: "2026-12-31T00:00:00Z" };
let created = 0;

/** The test double. Every response can be changed, and `isDown` simulates an outage. */
export class LiveBooks {
  isDown = false;
  private readonly markets = new Map<string, Listed>();
  private readonly unlisted = new Set<string>();

  constructor(private readonly upstream: Upstream) {}

  /** Lists the requests to a path. */
  listRequests(path: string): UpstreamRequest[] {
    return this.upstream.listRequests(path);
  }

  /** Adds an open market with these levels. */
  add(options: MarketOptions = {}): LiveMarket {
    created += 1;
    const { tick = 0.01, feeRate = 0, isNegRisk = false, bids = [], asks = [] } = options;
    const slug = `live-market-${created}`;
    const [first, second] = options.isV2
      ? readPositionIds(slug)
      : [readTokenId(`${created}/0`), readTokenId(`${created}/1`)];
    const id = options.isV2
      ? toPositionConditionId(first)
      : `0x${created.toString(16).padStart(64, "0")}`;
    const listing = options.isV2
      ? { version: "v2", conditionId: id.slice(0, -2), positionIds: [first, second] }
      : { conditionId: id, clobTokenIds: JSON.stringify([first, second]) };
    const fees = feeRate > 0 ? { feeSchedule: { rate: feeRate, exponent: 1 } } : {};
    this.markets.set(id, {
      wire: {
        slug,
        question: `Live question ${created}?`,
        outcomes: '["Yes","No"]',
        outcomePrices: '["0.5","0.5"]',
        ...listing,
        orderPriceMinTickSize: tick,
        orderMinSize: 5,
        negRisk: isNegRisk,
        feesEnabled: feeRate > 0,
        ...fees,
        startDate: "2026-01-01T00:00:00Z",
        endDate: "2026-12-31T00:00:00Z",
        closed: false,
        acceptingOrders: true,
        enableOrderBook: true,
        volume24hr: 1_000_000 - created,
        events: [EVENT],
        ...options.wire,
      },
      rules: {
        ...(options.isV2 ? { v: "v2" } : {}),
        t: [{ t: first }, { t: second }],
        mts: tick,
        mos: 5,
        nr: isNegRisk,
        ...(feeRate > 0 ? { fd: { r: feeRate, e: 1 } } : {}),
        ...options.rules,
      },
      book: { bids, asks, timestamp: "1" },
      history: [],
    });
    this.answer();
    return { id, slug, first, second };
  }

  /** Sets the first token's book. `at` is the reported time of the change. */
  quote({ id }: LiveMarket, levels: { bids?: WireLevel[]; asks?: WireLevel[] }, at: number): void {
    const listed = this.listed(id);
    listed.book = { bids: [], asks: [], ...listed.book, ...levels, timestamp: String(at) };
  }

  /** Closes a market without a result yet. */
  close({ id }: LiveMarket): void {
    const listed = this.listed(id);
    Object.assign(listed.wire, { closed: true, acceptingOrders: false });
    Object.assign(listed.rules, { ao: false });
    listed.book = null;
  }

  /** Resolves a market with the payout of a share of each token. */
  resolve(market: LiveMarket, payouts: readonly [string, string]): void {
    this.close(market);
    const resolved = { umaResolutionStatus: "resolved", outcomePrices: JSON.stringify(payouts) };
    Object.assign(this.listed(market.id).wire, resolved);
  }

  /** Pauses a market, so that it takes no orders. */
  pause({ id }: LiveMarket): void {
    Object.assign(this.listed(id).wire, { acceptingOrders: false });
    Object.assign(this.listed(id).rules, { ao: false });
  }

  setHistory({ id }: LiveMarket, history: { t: number; p: number }[]): void {
    this.listed(id).history = history;
  }

  /** Registers the responses of all paths that the service requests. */
  answer(): void {
    const listed = () => [...this.markets.values()];
    const isListed = (wire: Listed["wire"]) =>
      wire["closed"] !== true && !this.unlisted.has(String(wire["conditionId"]));
    const open = () => listed().filter(({ wire }) => isListed(wire));
    this.on("/gamma/events/keyset", () => ({
      events: [{ ...EVENT, tags: [{ slug: "crypto" }], markets: open().map(({ wire }) => wire) }],
      next_cursor: null,
    }));
    this.on("/gamma/markets", ({ query }) => {
      const isClosed = query.get("closed") === "true";
      return listed()
        .filter(({ wire }) => (wire["closed"] === true) === isClosed && isNamed(wire, query))
        .map(({ wire }) => wire);
    });
    this.on("/clob/book", ({ query }) => this.readBook(query.get("token_id") ?? ""));
    this.on("/clob/books", ({ body }) =>
      (JSON.parse(body) as { token_id: string }[]).flatMap(
        ({ token_id }) => this.readBook(token_id) ?? [],
      ),
    );
    this.on("/clob/prices-history", ({ query }) => {
      const token = query.get("market") ?? "";
      const history = listed().find(({ rules }) => hasToken(rules, token))?.history;
      return history ? { history } : null;
    });
    for (const [id, { rules }] of this.markets) this.on(`/clob/clob-markets/${id}`, () => rules);
  }

  /** Removes a market from the list of the most traded ones. It is still found by id, slug and token. */
  unlist({ id }: LiveMarket, question: string): Record<string, unknown> {
    const { wire } = this.listed(id);
    wire["question"] = question;
    this.unlisted.add(id);
    return wire;
  }

  on(path: string, read: (asked: UpstreamRequest) => unknown): void {
    this.upstream.on(path, (asked) => {
      if (this.isDown) return { status: 503, text: "<html>restarting</html>" };
      const json = read(asked);
      return json === null ? { status: 404, text: "{}" } : { json };
    });
  }

  private readBook(token: string) {
    const found = [...this.markets.values()].find(({ rules }) => hasToken(rules, token));
    if (!found?.book) return null;
    const version = found.rules["v"];
    const protocol = version === undefined ? {} : { version };
    return { asset_id: token, hash: "00", last_trade_price: "0.5", ...protocol, ...found.book };
  }

  private listed(id: string): Listed {
    const listed = this.markets.get(id);
    if (!listed) throw new Error("the market was added");
    return listed;
  }
}

function isNamed(wire: Record<string, unknown>, query: URLSearchParams): boolean {
  return (
    query.getAll("condition_ids").includes(String(wire["conditionId"])) ||
    query.getAll("slug").includes(String(wire["slug"])) ||
    query.getAll("clob_token_ids").some((token) => String(wire["clobTokenIds"]).includes(token)) ||
    query
      .getAll("position_ids")
      .some((id) => JSON.stringify(wire["positionIds"] ?? []).includes(id))
  );
}

const hasToken = (rules: Record<string, unknown>, token: string) =>
  JSON.stringify(rules["t"]).includes(`"${token}"`);

/** Configures paper trading to use the test double. Call it before the environment is parsed. */
export function useLiveBooks(): LiveBooks {
  process.env["MARKET_DATA"] = "polymarket";
  const books = new LiveBooks(useUpstream());
  beforeEach(() => {
    books.isDown = false;
    books.answer();
  });
  return books;
}
