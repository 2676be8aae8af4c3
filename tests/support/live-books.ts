// A Polymarket of the tests: markets and books that a test moves, over the real wire.
import { beforeEach } from "vitest";
import { type Asked, useUpstream, type Upstream } from "@/tests/support/upstream";

interface WireLevel {
  price: string;
  size: string;
}

interface Book {
  bids: WireLevel[];
  asks: WireLevel[];
  /** When it last changed, as the venue says. */
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

interface MarketWish {
  tick?: number;
  feeRate?: number;
  isNegRisk?: boolean;
  bids?: WireLevel[];
  asks?: WireLevel[];
}

const EVENT = { slug: "event", title: "An event", endDate: "2026-12-31T00:00:00Z" };
let made = 0;

/** The other side of the network. Everything it says can be changed, and it can fall silent. */
export class LiveBooks {
  isDown = false;
  private readonly markets = new Map<string, Listed>();
  private readonly unlisted = new Set<string>();

  constructor(private readonly upstream: Upstream) {}

  /** Lists a new market, open, with the given levels. */
  add(wish: MarketWish = {}): LiveMarket {
    made += 1;
    const id = `0x${made.toString(16).padStart(64, "0")}`;
    const slug = `live-market-${made}`;
    const [first, second] = [String(7_000_000 + 2 * made), String(7_000_001 + 2 * made)];
    const { tick = 0.01, feeRate = 0, isNegRisk = false, bids = [], asks = [] } = wish;
    const fees = feeRate > 0 ? { feeSchedule: { rate: feeRate, exponent: 1 } } : {};
    this.markets.set(id, {
      wire: {
        conditionId: id,
        slug,
        question: `Live question ${made}?`,
        outcomes: '["Yes","No"]',
        outcomePrices: '["0.5","0.5"]',
        clobTokenIds: JSON.stringify([first, second]),
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
        volume24hr: 1_000_000 - made,
        events: [EVENT],
      },
      rules: {
        t: [{ t: first }, { t: second }],
        mts: tick,
        mos: 5,
        nr: isNegRisk,
        ...(feeRate > 0 ? { fd: { r: feeRate, e: 1 } } : {}),
      },
      book: { bids, asks, timestamp: "1" },
      history: [],
    });
    this.answer();
    return { id, slug, first, second };
  }

  /** The first token's book from now on. `at` is when the venue says that it changed. */
  quote({ id }: LiveMarket, levels: { bids?: WireLevel[]; asks?: WireLevel[] }, at: number): void {
    const listed = this.listed(id);
    listed.book = { bids: [], asks: [], ...listed.book, ...levels, timestamp: String(at) };
  }

  /** Ends a market for good, without a result yet. */
  close({ id }: LiveMarket): void {
    const listed = this.listed(id);
    Object.assign(listed.wire, { closed: true, acceptingOrders: false });
    Object.assign(listed.rules, { ao: false });
    listed.book = null;
  }

  /** Ends a market with what a share of each token is paid. */
  resolve(market: LiveMarket, payouts: readonly [string, string]): void {
    this.close(market);
    const resolved = { umaResolutionStatus: "resolved", outcomePrices: JSON.stringify(payouts) };
    Object.assign(this.listed(market.id).wire, resolved);
  }

  /** Takes no orders for a while. */
  pause({ id }: LiveMarket): void {
    Object.assign(this.listed(id).wire, { acceptingOrders: false });
    Object.assign(this.listed(id).rules, { ao: false });
  }

  setHistory({ id }: LiveMarket, history: { t: number; p: number }[]): void {
    this.listed(id).history = history;
  }

  /** Answers the paths that the service asks. */
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
    this.on("/clob/book", ({ query }) => this.bookOf(query.get("token_id") ?? ""));
    this.on("/clob/books", ({ body }) =>
      (JSON.parse(body) as { token_id: string }[]).flatMap(
        ({ token_id }) => this.bookOf(token_id) ?? [],
      ),
    );
    this.on("/clob/prices-history", ({ query }) => {
      const token = query.get("market") ?? "";
      const history = listed().find(({ rules }) => hasToken(rules, token))?.history;
      return history ? { history } : null;
    });
    for (const [id, { rules }] of this.markets) this.on(`/clob/clob-markets/${id}`, () => rules);
  }

  /** Takes a market out of the list of those traded most; it stays found by its names. */
  unlist({ id }: LiveMarket, question: string): Record<string, unknown> {
    const { wire } = this.listed(id);
    wire["question"] = question;
    this.unlisted.add(id);
    return wire;
  }

  on(path: string, read: (asked: Asked) => unknown): void {
    this.upstream.on(path, (asked) => {
      if (this.isDown) return { status: 503, text: "<html>restarting</html>" };
      const json = read(asked);
      return json === null ? { status: 404, text: "{}" } : { json };
    });
  }

  private bookOf(token: string) {
    const found = [...this.markets.values()].find(({ rules }) => hasToken(rules, token));
    if (!found?.book) return null;
    return { asset_id: token, hash: "00", last_trade_price: "0.5", ...found.book };
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
    query.getAll("clob_token_ids").some((token) => String(wire["clobTokenIds"]).includes(token))
  );
}

const hasToken = (rules: Record<string, unknown>, token: string) =>
  JSON.stringify(rules["t"]).includes(`"${token}"`);

/** Points paper trading at such a venue, before anything reads the environment. */
export function useLiveBooks(): LiveBooks {
  process.env["MARKET_DATA"] = "polymarket";
  const books = new LiveBooks(useUpstream());
  beforeEach(() => {
    books.isDown = false;
    books.answer();
  });
  return books;
}
