// Pages whose prices come from a venue that stops answering: another Ante's sandbox.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  cleanUpAfterwards,
  codeOf,
  dataOf,
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
} from "@/tests/support/product";
import { newOwner } from "@/tests/support/live-wallets";
import { signIn } from "@/tests/support/product-session";
import { type SandboxMarket, sandboxMarkets } from "@/tests/support/sandbox";

cleanUpAfterwards();

const SILENT = "The exchange isn't answering.";
const ENTITIES: Record<string, string> = { "&#x27;": "'", "&quot;": '"', "&amp;": "&" };
/** What a reader of the page sees, more or less. */
const textOf = (html: string) =>
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

const WITHIN_MS = 60_000;
/** What was read just now counts as new for a few seconds, so that nobody hears the silence at once. */
const stopVenue = async (site: Site) => {
  await venue.crash();
  site.isDark = true;
  await until(WITHIN_MS, "the silence is heard", async () => {
    return (await site.page("/")).includes(SILENT);
  });
};
const startVenue = async (site: Site) => {
  const { port, dataDir } = venue;
  venue = await startProduct({ dataDir, port, env: NO_LIMITS });
  site.isDark = false;
  await until(WITHIN_MS, "the venue is heard again", async () => {
    const [home, markets] = [await site.page("/"), await site.page("/markets")];
    return !home.includes(SILENT) && !markets.includes(SILENT);
  });
};

/** A service on that venue with one user, signed in. */
class Site {
  product: Product | null = null;
  cookie = "";
  readonly dataDir = preparedDataDir();
  slug = "";
  /** The venue is known not to answer. */
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
    // The first look at a venue may take longer than it is waited for.
    await until(WITHIN_MS, "the venue is known", async () => {
      const text = await this.page("/markets");
      return this.isDark || !text.includes(SILENT);
    });
  }

  async restart(): Promise<void> {
    await this.product?.stop();
    await this.start();
  }

  api(method: string, path: string, body?: object) {
    return send(this.port, { method, path, key: this.key, ...(body && { body }) });
  }

  /** A page as its reader sees it, which must be no failure, with its headline. */
  async page(path: string): Promise<string> {
    const answer = await send(this.port, {
      method: "GET",
      path,
      headers: { cookie: this.cookie },
    });
    expect([answer.status, path]).toEqual([200, path]);
    expect(answer.text).toMatch(/<h1[\s>]/);
    return textOf(answer.text);
  }

  /** Every page that tells a price, and those around them. */
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
      `/trade?token=${token}`,
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

  /** All of them at once: each waits for the venue for a while. */
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

/** A position and a resting order, once the venue's markets are known. */
async function tradeALittle(site: Site): Promise<void> {
  const bought = body({ orderType: "market", amount: 20 });
  expect((await site.api("POST", "/v1/orders", bought)).status).toBe(200);
  const resting = body({ orderType: "limit", price: 0.05, shares: 20 });
  expect((await site.api("POST", "/v1/orders", resting)).status).toBe(200);
  const found = await site.api("GET", `/v1/markets/${market.condition_id}`);
  site.slug = dataOf<{ slug: string }>(found).slug;
}

/** Every page comes to be of now: on a busy machine a venue may answer later than it is waited for. */
async function expectNews(site: Site): Promise<void> {
  for (const path of site.pages()) {
    await until(WITHIN_MS, `${path} is of now`, async () => {
      return !(await site.page(path)).includes(SILENT);
    });
  }
}

/** These pages come to say from when they are: what was read last is new for a few seconds. */
async function expectOld(site: Site, paths: readonly string[]): Promise<void> {
  const waits = paths.map((path) =>
    until(WITHIN_MS, `${path} is old`, async () =>
      (await site.page(path)).includes(`${SILENT} Showing data from `),
    ),
  );
  await Promise.all(waits);
}

/** The pages that say so, of those that were asked. */
const saying = (texts: Record<string, string>, what: string) =>
  Object.keys(texts).filter((path) => texts[path]?.includes(what));

/** Answers that must stay as the interface documents them, whatever pages do. */
async function expectUpstreamCodes(site: Site): Promise<void> {
  const order = body({ orderType: "limit", price: 0.05, shares: 20 });
  for (const answer of [
    await site.api("GET", "/v1/positions"),
    await site.api("GET", `/v1/markets/${market.condition_id}/book`),
    await site.api("POST", "/v1/orders", order),
  ]) {
    expect(answer.status).toBe(502);
    expect(codeOf(answer)).toMatch(/^(UPSTREAM_|ORDER_OUTCOME_UNKNOWN)/);
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

  it("shows every page; none says that anything is old", async () => {
    await expectNews(site);
  });

  it("once the venue stops, shows every page with the last prices, and from when they are", async () => {
    await stopVenue(site);
    await expectOld(site, [
      "/",
      "/?range=all",
      `/markets/${site.slug}`,
      `/trade?token=${tokenId()}`,
    ]);
    const texts = await site.eachPage();
    expect(texts["/"]).toContain("Positions");
    expect(texts["/orders"]).toContain("Buy");
    await expectUpstreamCodes(site);
    const balance = await site.api("GET", "/v1/account/balance");
    expect(balance.status).toBe(200);
  });

  it("after a restart in the dark, shows what the database has, and says what it has not", async () => {
    await site.restart();
    const texts = await site.eachPage();
    expect(texts["/"]).toContain(`${SILENT} Current prices are not available`);
    expect(texts["/"]).toContain("Portfolio value");
    expect(saying(texts, "can't be shown without it")).toEqual(
      expect.arrayContaining(["/markets", `/markets/${site.slug}`, "/trade"]),
    );
    expect(texts[`/markets/${site.slug}`]).toContain("Your position");
    expect(saying(texts, SILENT)).not.toContain("/wallet");
    await expectUpstreamCodes(site);
  });

  it("is as always once the venue is back", async () => {
    await startVenue(site);
    await expectNews(site);
  });
});

it("where only real money trades, a newcomer's pages say that there is no wallet yet", async () => {
  const site = new Site(() => ({ VENUES: "polymarket", ALLOW_EMBEDDED_DB_FOR_LIVE: "1" }));
  [site.user] = (await seedUsers({ DATA_DIR: site.dataDir }, 1, "1000")) as [SeededUser];
  await site.start();
  for (const path of ["/", "/wallet"]) {
    expect(await site.page(path), path).toContain("You have no live wallet yet.");
  }
  for (const path of ["/markets", "/trade", `/trade?token=${tokenId()}`, "/orders", "/activity"]) {
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
    const owner = newOwner();
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

  it("has every page; none says that anything is old", async () => {
    await expectNews(site);
  });

  it("once the venue stops, has every page with its last balance, and from when it is", async () => {
    await stopVenue(site);
    await expectOld(site, ["/", "/wallet", `/markets/${site.slug}`]);
    const texts = await site.eachPage();
    expect(texts["/"]).toContain("Portfolio value");
    await expectUpstreamCodes(site);
  });

  it("after a restart in the dark, has every page, and the orders", async () => {
    await site.restart();
    const texts = await site.eachPage();
    expect(saying(texts, "can't be shown without it")).toEqual(
      expect.arrayContaining(["/", "/markets", "/wallet"]),
    );
    expect(texts["/orders"]).toContain("Buy");
    await expectUpstreamCodes(site);
  });

  it("is as always once the venue is back", async () => {
    await startVenue(site);
    await expectNews(site);
  });
});
