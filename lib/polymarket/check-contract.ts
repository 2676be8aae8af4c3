import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { authorize } from "@/lib/polymarket/auth";
import { MicroText } from "@/lib/polymarket/wire/decimal";
import { readJson, type UpstreamRequest, UpstreamStatus } from "@/lib/polymarket/http";
import {
  explainVersion,
  parseMarket,
  parseVersion,
  type RemoteMarket,
} from "@/lib/polymarket/markets";
import { WireBook } from "@/lib/polymarket/wire/books";
import { ClobMarket, TokenId, WireMarket, WireMarkets } from "@/lib/polymarket/wire/markets";
import { pageSchema, WireOrder } from "@/lib/polymarket/wire/orders";
import type { ContractCheck, RemoteVenue } from "@/lib/venue/port";
import type { Trader } from "@/lib/venue/trader";

/** The version of the CLOB whose orders this adapter signs (polymarket-protocol-v2.md 1.5). */
const KNOWN_VERSION = 2;
/** Number of most traded markets to check. At least one must have the known form. */
const MARKETS = 20;
/** Number of these markets whose rules and book are read. A market may briefly have no book. */
const BOOKS = 5;
const MAX_ISSUES = 3;

type Finding = Pick<ContractCheck, "outcome" | "detail">;

/**
 * Compares the venue's current responses with the contract that this adapter knows: the version, and
 * the shape of one market, one book and one order. A missing response proves nothing.
 *
 * @param trader the trader whose orders are read; null checks only the route.
 */
export const checkContract: RemoteVenue["checkContract"] = async (trader) => {
  const [version, markets, order] = await Promise.all([
    runCheck(checkVersion),
    checkMarkets(),
    runCheck(() => checkOrder(trader)),
  ]);
  return [
    { part: "version", ...version },
    { part: "market", ...markets.market },
    { part: "book", ...markets.book },
    { part: "order", ...order },
  ];
};

async function checkVersion(): Promise<Finding> {
  const body = await readAny({ service: "clob", method: "GET", path: "/version" });
  const parsed = z.object({ version: z.unknown() }).safeParse(body);
  if (!parsed.success) return differs("GET /version doesn't name a version");
  const { version } = parsed.data;
  if (version === KNOWN_VERSION) return known(`version ${KNOWN_VERSION}`);
  return differs(`GET /version says ${quote(version)} instead of ${KNOWN_VERSION}`);
}

async function checkMarkets(): Promise<{ market: Finding; book: Finding }> {
  const listed = await listMarkets();
  if (!Array.isArray(listed)) return { market: listed, book: notChecked("no market to check") };
  const ruled = await checkFirst(listed.slice(0, BOOKS), checkRules);
  const book = await checkFirst(listed.slice(0, BOOKS), checkBook);
  return { market: ruled, book };
}

/** Returns the tradable markets with the known form, or a finding if there are none. */
async function listMarkets(): Promise<RemoteMarket[] | Finding> {
  const query = {
    limit: String(MARKETS),
    order: "volume24hr",
    ascending: "false",
    closed: "false",
  };
  let wire: unknown[] = [];
  const failure = await runCheck(async () => {
    const body = await readAny({ service: "gamma", method: "GET", path: "/markets", query });
    const parsed = WireMarkets.safeParse(body);
    if (!parsed.success) return differs("GET /markets isn't a list");
    wire = parsed.data;
    return known("");
  });
  if (failure.outcome !== "known") return failure;
  const ofKnown = wire.filter((one) => {
    const named = z.object({ version: z.unknown().optional() }).safeParse(one);
    const version = named.data?.version;
    return named.success && (version === undefined || parseVersion(version) !== null);
  });
  if (ofKnown.length === 0)
    return differs(`none of the ${MARKETS} most traded markets is of version v1 or v2`);
  const parsed = ofKnown.flatMap((one) => parseMarket(one, null) ?? []);
  const tradable = parsed.filter(({ untradable }) => untradable === null);
  if (tradable.length > 0) return tradable;
  const issues = WireMarket.safeParse(ofKnown[0]);
  return differs(
    issues.success
      ? "no market has two token ids of its protocol"
      : `a market has another form: ${describe(issues.error)}`,
  );
}

async function checkRules(market: RemoteMarket): Promise<Finding> {
  const path = `/clob-markets/${market.id}`;
  const parsed = ClobMarket.safeParse(await readAny({ service: "clob", method: "GET", path }));
  if (!parsed.success)
    return differs(`a market's rules have another form: ${describe(parsed.error)}`);
  const tokens = market.outcomes.map(({ tokenId }) => tokenId);
  if (parsed.data.t.some(({ t }) => !tokens.includes(t))) {
    return differs("a market's rules name other tokens than its listing");
  }
  const isOther = explainVersion(parsed.data.v, market.protocol) !== null;
  if (isOther)
    return differs(`a market of version ${market.protocol} trades as ${quote(parsed.data.v)}`);
  return known(`market ${market.slug}`);
}

async function checkBook(market: RemoteMarket): Promise<Finding> {
  const token = market.outcomes[0].tokenId;
  const query = { token_id: token };
  const body = await readAny({ service: "clob", method: "GET", path: "/book", query });
  const parsed = WireBook.safeParse(body);
  if (!parsed.success) return differs(`a book has another form: ${describe(parsed.error)}`);
  if (parsed.data.asset_id !== token) return differs("a book belongs to another token");
  const { version } = parsed.data;
  if (explainVersion(version, market.protocol) !== null)
    return differs(`a book of version ${market.protocol} is of version ${quote(version)}`);
  return known(`book of ${market.slug}`);
}

/** The fields of a listed order that the adapter and the reconciler use. */
const ListedOrder = WireOrder.extend({
  asset_id: TokenId,
  market: z.string().min(1),
  side: z.enum(["BUY", "SELL"]),
  original_size: MicroText,
  price: MicroText,
});

/** Checks the list of orders. Without an account, checks only that the route refuses. */
async function checkOrder(trader: Trader | null): Promise<Finding> {
  const request = { service: "clob", method: "GET", path: "/data/orders" } as const;
  if (trader === null) {
    try {
      await readAny(request);
    } catch (error) {
      const isRefused =
        error instanceof UpstreamStatus && [400, 401, 403].includes(error.upstreamStatus);
      if (isRefused) return notChecked("no account; the route asks for credentials as known");
      throw error;
    }
    return differs("GET /data/orders works without credentials");
  }
  const body = await unlessRefused(() => readAny(authorize(trader, request)));
  if (body === REFUSED) return notChecked("the account's credentials were refused");
  const page = pageSchema(z.unknown()).safeParse(body);
  if (!page.success) return differs(`the list of orders has another form: ${describe(page.error)}`);
  const [first] = page.data.data;
  if (first === undefined) return known("the list of orders is empty");
  const order = ListedOrder.safeParse(first);
  return order.success
    ? known("an open order")
    : differs(`an order has another form: ${describe(order.error)}`);
}

const REFUSED = Symbol("refused");

/** Returns REFUSED for refused credentials, which prove nothing about the contract. */
async function unlessRefused<T>(read: () => Promise<T>): Promise<T | typeof REFUSED> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError && error.code === "UPSTREAM_AUTH_FAILED") return REFUSED;
    throw error;
  }
}

/** Returns the finding of the first market with the known form, else the first failure. */
async function checkFirst(
  markets: readonly RemoteMarket[],
  check: (market: RemoteMarket) => Promise<Finding>,
): Promise<Finding> {
  let worst: Finding | null = null;
  for (const market of markets) {
    const finding = await runCheck(() => check(market));
    if (finding.outcome === "known") return finding;
    // A missing response outranks a different one: the venue has an outage.
    if (worst === null || finding.outcome === "no_answer") worst = finding;
    if (finding.outcome === "no_answer") break;
  }
  return worst ?? notChecked("no market to check");
}

/** Runs a check and maps a failed request to a finding. */
async function runCheck(check: () => Promise<Finding>): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isDifferent = error instanceof UpstreamStatus && error.code === "UPSTREAM_ERROR";
    return isDifferent && error.upstreamStatus < 500
      ? differs(`a known route responds with status ${error.upstreamStatus}`)
      : { outcome: "no_answer", detail: error.message };
  }
}

/** Reads any JSON; undefined for a body that is not JSON. */
const readAny = (request: UpstreamRequest) => readJson(request, z.unknown());

const known = (detail: string): Finding => ({ outcome: "known", detail });
const differs = (detail: string): Finding => ({ outcome: "differs", detail });
const notChecked = (detail: string): Finding => ({ outcome: "not_checked", detail });

function describe({ issues }: z.ZodError): string {
  return issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => `${path.join(".") || "the response"}: ${message}`)
    .join("; ");
}

const quote = (value: unknown) => (JSON.stringify(value) ?? "nothing").slice(0, 40);
