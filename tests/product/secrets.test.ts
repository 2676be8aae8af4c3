import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOG_NAMES } from "@/lib/log";
import { createOwner } from "@/tests/support/live/wallets";
import { startPostgres } from "@/tests/support/database/postgres.mjs";
import {
  type Answer,
  anyToken,
  cleanUpAfterwards,
  readData,
  freshDataDir,
  newKey,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  readDemo,
  ROOT,
  runAdmin,
  type SeededUser,
  seedUsers,
  send,
  type Sent,
  startProduct,
} from "@/tests/support/product/product";
import { PlainBrowser, unescapeHtml } from "@/tests/support/product/plain-browser";
import { createApiKey, sandboxMarkets } from "@/tests/support/sandbox/client";

cleanUpAfterwards();

const canary = () => `canary${randomBytes(20).toString("hex")}`;
const encryptionKey = randomBytes(32);
const owner = createOwner();

/** The secrets that must not appear anywhere, by name. Filled as they are created. */
const secrets: Record<string, string> = {
  "key-encryption key": encryptionKey.toString("base64"),
  "key-encryption key in hex": encryptionKey.toString("hex"),
  pepper: canary(),
  "session secret": canary(),
  "scheduler's secret": canary(),
  "database password": canary(),
  password: `a password ${canary()}`,
  "wrong password": `a wrong password ${canary()}`,
  "private key": owner.privateKey.slice(2),
  "private key in base64": Buffer.from(owner.privateKey.slice(2), "hex").toString("base64"),
};
const secret = (name: string): string => {
  const value = secrets[name];
  if (value === undefined) throw new Error(`there is no secret called ${name}`);
  return value;
};

let venue: Product;
let product: Product;
let database: Client;
let stopPostgres = async () => {};
let environment: Record<string, string>;
const email = `${canary()}@example.test`;
/** Every response of the service with its headers, by request. */
const answers: string[] = [];

beforeAll(async () => {
  const postgres = await startPostgres();
  stopPostgres = postgres.stop;
  database = new Client({ connectionString: postgres.url });
  await database.connect();
  venue = await startProduct({ dataDir: preparedDataDir(), env: NO_LIMITS });
  const url = new URL(postgres.url);
  url.password = secret("database password");
  const sandbox = `http://127.0.0.1:${venue.port}/sandbox`;
  environment = {
    ...NO_LIMITS,
    DATABASE_URL: url.toString(),
    KEY_ENCRYPTION_KEYS: `canary:${secret("key-encryption key")}`,
    API_KEY_PEPPER: secret("pepper"),
    NEXTAUTH_SECRET: secret("session secret"),
    CRON_SECRET: secret("scheduler's secret"),
    VENUES: "paper,polymarket",
    CLOB_API_URL: `${sandbox}/clob`,
    GAMMA_API_URL: `${sandbox}/gamma`,
    DATA_API_URL: `${sandbox}/data`,
    LOG_LEVEL: "trace",
    SUBMIT_ATTEMPT_TIMEOUT_MS: "1000",
    SUBMIT_BUDGET_MS: "2000",
  };
  product = await startProduct({ dataDir: freshDataDir(), env: environment });
  await useEverything(sandbox);
});

afterAll(async () => {
  await database.end();
  await product.stop();
  await stopPostgres();
});

async function useEverything(sandbox: string): Promise<void> {
  const browser = await signUpAndIn();
  const userId = await toUserId();
  const paperKey = await makeKey(browser);
  await importWallet(browser);
  const liveKey = await makeLiveKey(userId);
  const [market] = await sandboxMarkets(`${sandbox}/clob`);
  const tokenId = market?.tokens[0]?.token_id ?? "";
  // Each installation has its own seed, so its paper tokens differ from the sandbox's.
  await trade(paperKey, await anyToken(product.port, paperKey));
  await trade(liveKey, tokenId);
  for (const key of [paperKey, liveKey]) await useTools(key, tokenId);
  // The venue's `key` is not a secret: every stored order contains it as the sender.
  const credentials = await createApiKey(`${sandbox}/clob`, owner.privateKey);
  secrets["venue secret"] = credentials.secret;
  secrets["venue passphrase"] = credentials.passphrase;
  await look(browser);
  await sendNonsense(paperKey, browser);
  await scheduler();
  await breakDatabase(browser, paperKey);
  await venue.crash();
  const lost = await call({ method: "POST", path: "/v1/orders", key: liveKey, body: buy(tokenId) });
  expect([400, 502]).toContain(lost.status);
  await call({ method: "GET", path: "/v1/account/balance", key: liveKey });
  await browser.ask("/wallet/live").then(({ text }) => answers.push(text));
}

async function signUpAndIn(): Promise<PlainBrowser> {
  const password = secret("password");
  const browser = new PlainBrowser(product.port, { "user-agent": "a browser of the tests" });
  const joined = await browser.submit("/sign-up", /name="email"/, { email, password });
  expect(joined.status).toBe(303);
  secrets["session cookie"] = browser.session ?? "";
  expect(secret("session cookie").length).toBeGreaterThan(50);
  const wrong = { email, password: secret("wrong password") };
  const refused = await new PlainBrowser(product.port).submit("/sign-in", /name="email"/, wrong);
  expect(refused.text).toContain("Email or password is incorrect.");
  answers.push(refused.text);
  const taken = await new PlainBrowser(product.port).submit("/sign-up", /name="email"/, {
    email,
    password,
  });
  answers.push(taken.text);
  expect(await new PlainBrowser(product.port).signIn(wrong)).toBe(401);
  expect(await new PlainBrowser(product.port).signIn({ email, password })).toBe(200);
  return browser;
}

async function toUserId(): Promise<string> {
  const { rows } = await database.query("select id from users where email = $1", [email]);
  return String(rows[0]?.id);
}

/** A key is shown once, in the response that creates it. */
async function makeKey(browser: PlainBrowser): Promise<string> {
  const { text } = await browser.submit("/keys/new", /name="lifetime"/, {
    name: "made in a page",
    access: "trade",
  });
  const key = /ante_paper_[0-9A-Za-z]{46}/.exec(unescapeHtml(text))?.[0] ?? "";
  return keep("paper API key", key);
}

function keep(name: string, key: string): string {
  expect(key).toMatch(/^ante_(paper|live)_[0-9A-Za-z]{46}$/);
  secrets[name] = key;
  secrets[`${name}, its secret part`] = key.slice(-38);
  return key;
}

async function importWallet(browser: PlainBrowser): Promise<void> {
  const fields = { funder: owner.funders[3], signatureType: "3", secretKey: owner.privateKey };
  const wrong = { ...fields, current: secret("wrong password") };
  const refused = await browser.submit("/wallet/live", /name="secretKey"/, wrong);
  expect(refused.text).toContain("The current password is incorrect.");
  answers.push(refused.text);
  const mistyped = { ...fields, funder: owner.funders[2], current: secret("password") };
  answers.push((await browser.submit("/wallet/live", /name="secretKey"/, mistyped)).text);
  const right = { ...fields, current: secret("password") };
  const done = await browser.submit("/wallet/live", /name="secretKey"/, right);
  expect([done.status, done.headers.get("location")]).toEqual([303, "/wallet/live?done=imported"]);
}

async function makeLiveKey(userId: string): Promise<string> {
  const options = ["--user", userId, "--name", "live", "--scopes", "read,trade,cancel"];
  const args = ["keys:create", ...options, "--mode", "live", "--json"];
  const { stdout } = await runAdmin(args, environment);
  return keep("live API key", /ante_live_[0-9A-Za-z]{46}/.exec(stdout)?.[0] ?? "");
}

async function call(sent: Sent): Promise<Answer> {
  const answer = await send(product.port, sent);
  answers.push(JSON.stringify(answer.headers), answer.text);
  return answer;
}

const buy = (tokenId: string) => ({
  tokenId,
  action: "BUY",
  orderType: "limit",
  price: 0.05,
  shares: 20,
  idempotencyKey: newKey("secrets"),
});

async function trade(key: string, tokenId: string): Promise<void> {
  const placed = await call({ method: "POST", path: "/v1/orders", key, body: buy(tokenId) });
  const orderId = String(readData(placed)["orderId"]);
  await call({ method: "DELETE", path: `/v1/orders/${orderId}`, key });
  const market = { tokenId, action: "BUY", orderType: "market", amount: 5 };
  const body = { ...market, idempotencyKey: newKey("secrets") };
  expect((await call({ method: "POST", path: "/v1/orders", key, body })).status).toBe(200);
  for (const path of ["/v1/key", "/v1/orders", "/v1/positions", "/v1/account/balance"]) {
    expect((await call({ method: "GET", path, key })).status).toBe(200);
  }
}

/** Calls tools of agents as they are meant, and with the key in their arguments. */
async function useTools(key: string, tokenId: string): Promise<void> {
  const order = { tokenId, action: "BUY", orderType: "limit", price: 0.05, shares: 20 };
  const calls = [
    ["get_key", {}, /"mode\W+(paper|live)/],
    ["place_order", order, /idempotencyKey|MARKET_NOT_FOUND/],
    ["place_order", { ...order, idempotencyKey: key }, /SECRET_IN_ARGUMENTS/],
    ["search_markets", { query: key }, /SECRET_IN_ARGUMENTS/],
    ["cancel_order", { orderId: key, apiKey: key }, /apiKey/],
  ] as const;
  const headers = {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
  };
  for (const [name, args, expected] of calls) {
    const params = { name, arguments: args };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const answer = await call({ method: "POST", path: "/mcp", key, headers, body });
    expect(answer.text, name).toMatch(expected);
  }
}

async function look(browser: PlainBrowser): Promise<void> {
  const settings = ["account", "sessions", "security"].map((part) => `/settings?section=${part}`);
  const pages = ["/", "/keys", "/keys?tab=requests", "/wallet", "/wallet/live"];
  for (const path of [...pages, ...settings]) {
    const page = await browser.ask(path);
    expect(page.status, path).toBe(200);
    answers.push(page.text, JSON.stringify([...page.headers]));
  }
}

/** Sends secrets in wrong places, as faulty clients do. */
async function sendNonsense(key: string, browser: PlainBrowser): Promise<void> {
  const cookie = `next-auth.session-token=${secret("session cookie")}`;
  const odd: Sent[] = [
    { method: "GET", path: `/v1/orders?apiKey=${key}`, key },
    { method: "GET", path: `/v1/orders/${key}`, key },
    { method: "GET", path: `/v1/${key}`, key },
    { method: "GET", path: "/v1/orders", headers: { authorization: `Bearer ${key}x` } },
    { method: "GET", path: "/v1/orders", headers: { authorization: `Basic ${key}` } },
    { method: "POST", path: "/v1/orders", key, body: { apiKey: key, cookie } },
    { method: "POST", path: "/v1/orders", key, body: `{"password": "${secret("password")}"` },
    { method: "GET", path: "/v1/key", headers: { cookie } },
    { method: "GET", path: "/api/ui/v1/orders?limit=zero", headers: { cookie } },
    { method: "POST", path: "/", headers: { cookie, "next-action": key } },
  ];
  for (const sent of odd) {
    const { text } = await send(product.port, sent);
    // A client that sends a key in a path or a field may see its name again, but nobody else.
    if (sent.method === "GET" && !sent.path.includes(key)) answers.push(text);
  }
  expect((await browser.ask(`/orders/${key}%00`)).status).toBe(404);
  await browser.ask(`/markets?q=${key}`);
}

async function scheduler(): Promise<void> {
  const path = "/api/cron/reconcile";
  for (const token of [secret("scheduler's secret"), canary()]) {
    await call({ method: "GET", path, headers: { authorization: `Bearer ${token}` } });
  }
}

/** Makes statements with secret parameters fail, in pages, actions and the API. */
async function breakDatabase(browser: PlainBrowser, key: string): Promise<void> {
  const form = await browser.readForm("/settings?section=account", /name="current"/);
  for (const table of ["sessions", "users", "api_keys", "orders", "live_wallets"]) {
    await database.query(`alter table ${table} rename to ${table}_away`);
    for (const path of ["/", "/orders", "/keys", "/settings?section=sessions", "/wallet/live"]) {
      const page = await browser.ask(path);
      answers.push(page.text);
    }
    const change = { current: secret("password"), password: secret("password") };
    answers.push((await browser.send("/settings", { ...form, ...change })).text);
    answers.push(String(await new PlainBrowser(product.port).signIn({ email, ...change })));
    await call({ method: "GET", path: "/v1/orders", key });
    await call({ method: "POST", path: "/v1/orders", key, body: buy("1") });
    await database.query(`alter table ${table}_away rename to ${table}`);
  }
}

/** Finds the secrets in a text, ignoring case. */
function foundIn(text: string): string[] {
  const plain = text.toLowerCase();
  return Object.entries(secrets)
    .filter(([, value]) => plain.includes(value.toLowerCase()))
    .map(([name]) => name);
}

describe("secrets", () => {
  it("were all created", () => {
    expect(Object.keys(secrets).length).toBeGreaterThanOrEqual(17);
    for (const [name, value] of Object.entries(secrets))
      expect(value.length, name).toBeGreaterThan(30);
    expect(foundIn(`x ${secret("private key").toUpperCase()} y`)).toEqual(["private key"]);
  });

  it("appear in no log line at the finest level, and lines have only allowed fields", () => {
    const lines = product.output().split("\n");
    const logged = lines.filter((line) => line.startsWith("{"));
    expect(logged.length).toBeGreaterThan(50);
    const names = logged.flatMap((line) => Object.keys(JSON.parse(line) as object));
    expect([...new Set(names)].filter((name) => !LOG_NAMES.includes(name))).toEqual([]);
    const rest = lines.filter((line) => line !== "" && !line.startsWith("{"));
    expect(rest.map((line) => line.replace(/http\S+/, "URL"))).toEqual([
      "Ante is ready at URL",
      "  Database: Postgres",
      expect.stringContaining("Warning: fsync is off"),
      expect.stringContaining("Warning: no synchronous standby"),
    ]);
    expect(foundIn(product.output())).toEqual([]);
    // Failed statements must have been logged, or this proves nothing.
    expect(product.output()).toContain('relation \\"sessions\\" does not exist');
    expect(product.output()).not.toMatch(/params:|Failed query|select \\"/);
    expect(product.output()).not.toContain(email);
  });

  it("appear in no response except the one that creates a key", () => {
    expect(answers.length).toBeGreaterThan(80);
    expect(foundIn(answers.join("\n"))).toEqual([]);
  });

  it("appear in no row of the database unencrypted", async () => {
    const { rows: tables } = await database.query(
      "select table_schema, table_name from information_schema.tables" +
        " where table_schema not in ('pg_catalog', 'information_schema')",
    );
    expect(tables.length).toBeGreaterThan(10);
    let dump = "";
    for (const { table_schema: schema, table_name: name } of tables) {
      const { rows } = await database.query(
        `select coalesce(string_agg(to_jsonb(one)::text, E'\\n'), '') as text` +
          ` from "${schema}"."${name}" one`,
      );
      dump += rows[0].text;
    }
    expect(dump).toContain(email);
    expect(dump).toContain(owner.address);
    expect(foundIn(dump)).toEqual([]);
  });

  it("appear in no file of the build, and their variables' names in no file for browsers", () => {
    const built = [...filesUnder(join(ROOT, ".next/static")), ...filesUnder(join(ROOT, "dist"))];
    expect(built.length).toBeGreaterThan(20);
    for (const file of built) expect(foundIn(readFileSync(file, "latin1")), file).toEqual([]);
    const names = /KEY_ENCRYPTION_KEYS|API_KEY_PEPPER|NEXTAUTH_SECRET|CRON_SECRET|DATABASE_URL/;
    const loaded = filesUnder(join(ROOT, ".next/static"));
    const naming = loaded.filter((file) => names.test(readFileSync(file, "latin1")));
    expect(naming).toEqual([]);
    expect(loaded.filter((file) => file.endsWith(".map"))).toEqual([]);
  });
});

describe("the embedded database's files", () => {
  it("contain no password, key or session unencrypted, and are readable by their owner only", async () => {
    const dataDir = preparedDataDir();
    const [user] = (await seedUsers({ DATA_DIR: dataDir }, 1, "100")) as [SeededUser];
    const embedded = await startProduct({ dataDir });
    const demo = readDemo(dataDir);
    const browser = new PlainBrowser(embedded.port);
    expect(await browser.signIn(demo)).toBe(200);
    await send(embedded.port, { method: "GET", path: "/v1/key", key: user.apiKey });
    await embedded.stop();
    const kept = JSON.parse(readFileSync(join(dataDir, "secrets.json"), "utf8")) as object;
    const values = [
      demo.apiKey,
      demo.password,
      user.apiKey,
      user.password,
      ...[demo.apiKey, user.apiKey].map((key) => key.slice(-38)),
      ...Object.values(kept).map((value) => String(value).replace(/^\w+:/, "")),
      browser.session ?? "",
    ];
    expect(values.every((value) => value.length > 15)).toBe(true);
    let sawEmail = false;
    for (const file of filesUnder(join(dataDir, "db"))) {
      const bytes = readFileSync(file);
      sawEmail ||= bytes.includes(demo.email);
      expect(
        values.filter((value) => bytes.includes(value)),
        file,
      ).toEqual([]);
    }
    expect(sawEmail).toBe(true);
    for (const name of ["secrets.json", "demo.json"]) {
      expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
    }
  });
});

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile());
}
