// Pages during an outage of the venue that provides the prices: another Ante's sandbox.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  cleanUpAfterwards,
  readCode,
  readData,
  type Environment,
  newKey,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  runAdmin,
  type SeededUser,
  seedUsers,
  send,
  startProduct,
  until,
} from "@/tests/support/product/product";
import { createOwner } from "@/tests/support/live/wallets";
import { signIn } from "@/tests/support/product/session";
import { type SandboxMarket, sandboxMarkets } from "@/tests/support/sandbox/client";

cleanUpAfterwards();

const OUTAGE_TEXT = "The exchange isn’t responding.";
const ENTITIES: Record<string, string> = { "&#x27;": "'", "&quot;": '"', "&amp;": "&" };
/** Approximates the visible text of a page. */
const readText = (html: string) =>
  html
    .replaceAll(/<script[\s\S]*?<\/script>/g, "")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(#x27|quot|amp);/g, (entity) => ENTITIES[entity] ?? "");

let venue: Product;
let market: SandboxMarket;
const tokenId = () => market.tokens[0]?.token_id ?? "";

beforeAll(async () => {
  venue = await startProduct({ dataDir: preparedDataDir(), env: NO_LIMITS });
  const [found] = await sandboxMarkets(`http://127.0.0.1:${venue.port}/sandbox/clob`);
  if (!found) throw new Error("the sandbox lists a market");
  market = found;
});

const upstreamEnv = () => {
  const sandbox = `http://127.0.0.1:${venue.port}/sandbox`;
  return {
    CLOB_API_URL: `${sandbox}/clob`,
    GAMMA_API_URL: `${sandbox}/gamma`,
    DATA_API_URL: `${sandbox}/data`,
  };
};

/** Values count as fresh for a few seconds, so pages don't show the outage immediately. */
const stopVenue = async (site: Site) => {
  await venue.crash();
  site.isDark = true;
  await until("the outage is heard", async () => {
    return (await site.page("/")).includes(OUTAGE_TEXT);
  });
};
const startVenue = async (site: Site) => {
  const { port, dataDir } = venue;
  venue = await startProduct({ dataDir, port, env: NO_LIMITS });
  site.isDark = false;
  await until("the venue is heard again", async () => {
    const [home, markets] = [await site.page("/"), await site.page("/markets")];
    return !home.includes(OUTAGE_TEXT) && !markets.includes(OUTAGE_TEXT);
  });
};

/** A service that uses the venue, with one signed-in user. */
class Site {
  product: Product | null = null;
  cookie = "";
  readonly dataDir = preparedDataDir();
  slug = "";
  /** Whether the venue is down. */
  isDark = false;

  constructor(
    private readonly env: () => Environment,
    public user: SeededUser = NOBODY,
    public key = "",
  ) {}

  get port(): number {
    return this.product?.port ?? 0;
  }

  async start(): Promise<void> {
    const env = { ...NO_LIMITS, ...upstreamEnv(), ...this.env() };
    this.product = await startProduct({ dataDir: this.dataDir, env });
    this.cookie = await signIn(this.port, this.user);
    // The first read of a venue can take longer than the timeout.
    await until("the venue is known", async () => {
      const text = await this.page("/markets");
      return this.isDark || !text.includes(OUTAGE_TEXT);
    });
  }

  async restart(): Promise<void> {
    await this.product?.stop();
    await this.start();
  }

  api(method: string, path: string, body?: object) {
    return send(this.port, { method, path, key: this.key, ...(body && { body }) });
  }

  /** Reads a page's text and checks that it loaded with its headline. */
  async page(path: string): Promise<string> {
    const answer = await send(this.port, {
      method: "GET",
      path,
      headers: { cookie: this.cookie },
    });
    expect([answer.status, path]).toEqual([200, path]);
    expect(answer.text).toMatch(/<h1[\s>]/);
    return readText(answer.text);
  }

  /** Every page with a price, and related pages. */
  pages(): string[] {
    const { slug } = this;
    const token = tokenId();
    const review = `side=buy&type=limit&price=0.05&shares=20&key=${newKey("review")}`;
    return [
      "/",
      "/?range=all",
      "/markets",
      "/markets?q=nothing-is-called-this",
      `/markets/${slug}`,
      `/markets/${slug}?tab=yours&chart=event&range=max`,
      "/trade",
      `/trade/review?token=${token}&${review}`,
      "/orders",
      "/orders?tab=history",
      "/activity",
      "/wallet",
      "/wallet/live",
      "/status",
      "/settings",
      "/keys",
    ];
  }

  /** Reads all of them in parallel, because each waits for the venue. */
  async eachPage(): Promise<Record<string, string>> {
    const texts = this.pages().map(async (path): Promise<[string, string]> => {
      return [path.replace(/&key=.*/, ""), await this.page(path)];
    });
    return Object.fromEntries(await Promise.all(texts));
  }
}

const NOBODY = { userId: "", email: "", password: "", apiKey: "", address: "", funderAddress: "" };

const body = (fields: object) => ({
  tokenId: tokenId(),
  action: "BUY",
  idempotencyKey: newKey(),
  ...fields,
});

/** Creates a position and a resting order, once the venue's markets are loaded. */
async function tradeALittle(site: Site): Promise<void> {
  const bought = body({ orderType: "market", amount: 20 });
  expect((await site.api("POST", "/v1/orders", bought)).status).toBe(200);
  const resting = body({ orderType: "limit", price: 0.05, shares: 20 });
  expect((await site.api("POST", "/v1/orders", resting)).status).toBe(200);
  const found = await site.api("GET", `/v1/markets/${market.condition_id}`);
  site.slug = readData<{ slug: string }>(found).slug;
}

/** Waits until every page is current. On a busy machine the venue can respond after the timeout. */
async function expectNews(site: Site): Promise<void> {
  for (const path of site.pages()) {
    await until(`${path} is of now`, async () => {
      return !(await site.page(path)).includes(OUTAGE_TEXT);
    });
  }
}

/** Waits until these pages show the time of their data. Values count as fresh for a few seconds. */
async function expectOld(site: Site, paths: readonly string[]): Promise<void> {
  const waits = paths.map((path) =>
    until(`${path} is old`, async () =>
      (await site.page(path)).includes(`${OUTAGE_TEXT} Showing data from `),
    ),
  );
  await Promise.all(waits);
}

/** Selects the pages that show that their data is stale. */
const saying = (texts: Record<string, string>, what: string) =>
  Object.keys(texts).filter((path) => texts[path]?.includes(what));

/** API responses that must stay as documented during the outage. */
async function expectUpstreamCodes(site: Site): Promise<void> {
  const order = body({ orderType: "limit", price: 0.05, shares: 20 });
  for (const answer of [
    await site.api("GET", "/v1/positions"),
    await site.api("GET", `/v1/markets/${market.condition_id}/book`),
    await site.api("POST", "/v1/orders", order),
  ]) {
    expect(answer.status).toBe(502);
    expect(readCode(answer)).toMatch(/^(UPSTREAM_|ORDER_OUTCOME_UNKNOWN)/);
  }
}

describe("paper money on a venue's live books", () => {
  const site = new Site(() => ({ MARKET_DATA: "polymarket" }));

  beforeAll(async () => {
    [site.user] = (await seedUsers({ DATA_DIR: site.dataDir }, 1, "1000")) as [SeededUser];
    site.key = site.user.apiKey;
    await site.start();
    await tradeALittle(site);
  });
  afterAll(() => site.product?.stop());

  it("shows every page without a notice of stale data", async () => {
    await expectNews(site);
  });

  it("during an outage shows every page with the last prices and their time", async () => {
    await stopVenue(site);
    await expectOld(site, ["/", "/?range=all", `/markets/${site.slug}`, "/trade"]);
    const texts = await site.eachPage();
    expect(texts["/"]).toContain("Positions");
    expect(texts["/orders"]).toContain("Buy");
    await expectUpstreamCodes(site);
    const balance = await site.api("GET", "/v1/account/balance");
    expect(balance.status).toBe(200);
  });

  it("after a restart during the outage shows the database's data and reports what is missing", async () => {
    await site.restart();
    const texts = await site.eachPage();
    expect(texts["/"]).toContain(`${OUTAGE_TEXT} Current prices are unavailable`);
    expect(texts["/"]).toContain("Portfolio value");
    expect(saying(texts, "can’t be shown right now")).toEqual(
      expect.arrayContaining(["/markets", `/markets/${site.slug}`, "/trade"]),
    );
    expect(texts[`/markets/${site.slug}`]).toContain("Your position");
    expect(saying(texts, OUTAGE_TEXT)).not.toContain("/wallet");
    await expectUpstreamCodes(site);
  });

  it("shows current data once the venue is back", async () => {
    await startVenue(site);
    await expectNews(site);
  });
});

it("with live trading only, a new user's pages say that there is no wallet yet", async () => {
  const site = new Site(() => ({ VENUES: "polymarket", ALLOW_EMBEDDED_DB_FOR_LIVE: "1" }));
  [site.user] = (await seedUsers({ DATA_DIR: site.dataDir }, 1, "1000")) as [SeededUser];
  await site.start();
  for (const path of ["/", "/wallet"]) {
    expect(await site.page(path), path).toContain("You have no live wallet yet.");
  }
  for (const path of ["/markets", "/trade", "/orders", "/activity"]) {
    await site.page(path);
  }
  await site.product?.stop();
});

describe("a live account", () => {
  const live = { VENUES: "polymarket", ALLOW_EMBEDDED_DB_FOR_LIVE: "1" };
  const site = new Site(() => live);

  beforeAll(async () => {
    const env = { ...upstreamEnv(), ...live, DATA_DIR: site.dataDir };
    [site.user] = (await seedUsers({ DATA_DIR: site.dataDir }, 1, "1000")) as [SeededUser];
    const owner = createOwner();
    const file = join(site.dataDir, "key.txt");
    writeFileSync(file, owner.privateKey, { mode: 0o600 });
    const user = ["--user", site.user.userId];
    const wallet = ["--private-key-file", file, "--funder", owner.funders[3]];
    await runAdmin(["wallet:import", ...user, ...wallet, "--signature-type", "3"], env);
    const options = ["--name", "live", "--scopes", "read,trade,cancel", "--mode", "live"];
    const made = await runAdmin(["keys:create", ...user, ...options, "--json"], env);
    site.key = /ante_live_[0-9A-Za-z]{46}/.exec(made.stdout)?.[0] ?? "";
    await site.start();
    await tradeALittle(site);
  });
  afterAll(() => site.product?.stop());

  it("shows every page without a notice of stale data", async () => {
    await expectNews(site);
  });

  it("during an outage shows every page with the last balance and its time", async () => {
    await stopVenue(site);
    await expectOld(site, ["/", "/wallet", `/markets/${site.slug}`]);
    const texts = await site.eachPage();
    expect(texts["/"]).toContain("Portfolio value");
    await expectUpstreamCodes(site);
  });

  it("after a restart during the outage shows every page and the orders", async () => {
    await site.restart();
    const texts = await site.eachPage();
    expect(saying(texts, "can’t be shown right now")).toEqual(
      expect.arrayContaining(["/", "/markets", "/wallet"]),
    );
    expect(texts["/orders"]).toContain("Buy");
    await expectUpstreamCodes(site);
  });

  it("shows current data once the venue is back", async () => {
    await startVenue(site);
    await expectNews(site);
  });
});
