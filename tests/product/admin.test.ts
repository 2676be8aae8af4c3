import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { PGlite } from "@electric-sql/pglite";
import { beforeAll, describe, expect, it } from "vitest";
import { parseKey } from "@/lib/auth/api-key";
import {
  anyToken,
  cleanUpAfterwards,
  readCode,
  readData,
  traderKey,
  expectCleanBooks,
  isHealthy,
  preparedDataDir,
  readDemo,
  ROOT,
  runAdmin,
  seedUsers,
  send,
  type SeededUser,
  startPrepared,
  startProduct,
} from "@/tests/support/product/product";
import { createOwner } from "@/tests/support/live/wallets";
import { freePort } from "@/tests/support/database/postgres.mjs";
import { PlainBrowser } from "@/tests/support/product/plain-browser";

cleanUpAfterwards();

const on = (dataDir: string) => ({ DATA_DIR: dataDir });

describe("seed", () => {
  it("prints one document with users who can trade with their deposit", async () => {
    const dataDir = preparedDataDir();
    const args = ["seed", "--users", "3", "--deposit", "250.5", "--json"];
    const { code, stdout, output } = await runAdmin(args, on(dataDir));
    expect(code).toBe(0);
    expect(output).toBe(stdout);
    const { users, ...others } = JSON.parse(stdout) as { users: SeededUser[] };
    expect(others).toEqual({});
    expect(users).toHaveLength(3);
    for (const name of ["userId", "email", "apiKey", "address", "funderAddress"] as const) {
      expect(new Set(users.map((user) => user[name])).size).toBe(3);
    }
    const server = await startProduct({ dataDir });
    const tokenId = await anyToken(server.port, users[0]?.apiKey ?? "");
    for (const { apiKey: key, ...user } of users) {
      expect(Object.keys(user).toSorted()).toEqual([
        "address",
        "email",
        "funderAddress",
        "password",
        "userId",
      ]);
      expect(key).toMatch(/^ante_paper_[0-9A-Za-z]{46}$/);
      const balance = await send(server.port, { method: "GET", path: "/v1/account/balance", key });
      const { userId, address, funderAddress } = user;
      expect(readData(balance)).toMatchObject({
        userId,
        address,
        funderAddress,
        balanceUsdc: 250.5,
        balanceBaseUnit: "250500000",
      });
      const body = { tokenId, action: "BUY", orderType: "market", amount: 1 };
      expect(
        (await send(server.port, { method: "POST", path: "/v1/orders", key, body })).status,
      ).toBe(200);
    }
    await server.stop();
    await expectCleanBooks(on(dataDir));
  });

  it("prints readable text without --json", async () => {
    const { code, stdout } = await runAdmin(
      ["seed", "--users", "1", "--deposit", "5"],
      on(preparedDataDir()),
    );
    expect(code).toBe(0);
    expect(stdout).toContain("1");
    const key = /\bante_paper_\w+/.exec(stdout)?.[0] ?? "";
    expect(parseKey(key)).not.toBeNull();
  });
});

describe("keys:create", () => {
  it("prints a key with its scopes that works until it expires", async () => {
    const dataDir = preparedDataDir();
    const { userId } = readDemo(dataDir);
    const create = async (scopes: string, ...more: string[]) => {
      const args = [
        "keys:create",
        "--user",
        userId,
        "--name",
        "of a test",
        "--scopes",
        scopes,
        ...more,
        "--json",
      ];
      const { code, stdout } = await runAdmin(args, on(dataDir));
      expect(code).toBe(0);
      const printed = JSON.parse(stdout) as { apiKey: string; keyId: string };
      expect(Object.keys(printed).toSorted()).toEqual(["apiKey", "keyId"]);
      expect(printed.apiKey).toContain(printed.keyId);
      return printed;
    };
    const reader = await create(
      "read",
      "--expires",
      new Date(Date.now() + 3_600_000).toISOString(),
    );
    const trader = await create("trade,cancel");

    const { port, stop } = await startProduct({ dataDir });
    const ask = (key: string, method: string, path: string) =>
      send(port, { method, path, key, ...(method === "POST" ? { body: {} } : {}) });
    expect(readData(await ask(reader.apiKey, "GET", "/v1/key"))).toMatchObject({
      id: reader.keyId,
      name: "of a test",
      scopes: ["read"],
      userId,
    });
    expect((await ask(reader.apiKey, "GET", "/v1/account/balance")).status).toBe(200);
    expect(readCode(await ask(reader.apiKey, "POST", "/v1/orders"))).toBe("INSUFFICIENT_SCOPE");
    expect(readCode(await ask(trader.apiKey, "GET", "/v1/account/balance"))).toBe(
      "INSUFFICIENT_SCOPE",
    );
    expect(readCode(await ask(trader.apiKey, "POST", "/v1/orders"))).toBe("VALIDATION_ERROR");
    await stop();
  });
});

describe("wallet:import", () => {
  it("prints one line regardless of the log level", async () => {
    const dataDir = preparedDataDir();
    const [user] = await seedUsers(on(dataDir), 1, "1");
    const { privateKey, funders } = createOwner();
    const file = join(dataDir, "key.txt");
    writeFileSync(file, privateKey, { mode: 0o600 });
    const args = ["--private-key-file", file, "--funder", funders[3], "--signature-type", "3"];
    const { code, stdout, output } = await runAdmin(
      ["wallet:import", "--user", user?.userId ?? "", ...args, "--json"],
      { ...on(dataDir), LOG_LEVEL: "trace" },
    );
    expect(code, output).toBe(0);
    expect(stdout.trim().split("\n")).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({ funderAddress: funders[3] });
    expect(output).toContain("live wallet imported");
  });
});

describe("users and their keys", () => {
  it("lists users and their keys with states, and revokes a key by id or by its text", async () => {
    const dataDir = preparedDataDir();
    const demo = readDemo(dataDir);
    const run = async (...args: string[]) => {
      const { code, stdout, output } = await runAdmin([...args, "--json"], on(dataDir));
      expect(code, output).toBe(0);
      expect(stdout.trim().split("\n")).toHaveLength(1);
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    const { users } = await run("users:list");
    expect(users).toContainEqual({
      userId: demo.userId,
      email: demo.email,
      status: "active",
      createdAt: expect.any(String),
    });
    expect(users).toHaveLength(2);
    const scopes = ["--name", "second", "--scopes", "read"];
    const { keyId } = await run("keys:create", "--user", demo.userId, ...scopes);
    const states = async () => {
      const { keys } = await run("keys:list", "--user", demo.userId);
      return Object.fromEntries(
        (keys as { name: string; state: string }[]).map(({ name, state }) => [name, state]),
      );
    };
    expect(await states()).toEqual({ demo: "active", second: "active" });
    const revoked = await run("keys:revoke", "--key", String(keyId));
    expect(revoked).toEqual({ keyId, userId: demo.userId, revokedAt: expect.any(String) });
    expect(await run("keys:revoke", "--key", String(keyId))).toEqual(revoked);
    await run("keys:revoke", "--key", demo.apiKey);
    expect(await states()).toEqual({ demo: "revoked", second: "revoked" });

    const server = await startProduct({ dataDir });
    expect(server.stdout()).toContain("no longer work: The API key was revoked");
    expect(server.stdout()).not.toContain("curl");
    const path = "/v1/account/balance";
    const answer = await send(server.port, { method: "GET", path, key: demo.apiKey });
    expect(readCode(answer)).toBe("API_KEY_REVOKED");
    await server.stop();
  });

  it("creates a link that sets a new password once and ends every session", async () => {
    const dataDir = preparedDataDir();
    const [user] = await seedUsers(on(dataDir), 1, "100");
    if (!user) throw new Error("one user was asked for");
    const port = await freePort();
    const env = { ...on(dataDir), PORT: String(port) };
    const makeLink = async () => {
      const args = ["users:reset-link", "--user", user.userId, "--json"];
      const { code, stdout, output } = await runAdmin(args, env);
      expect(code, output).toBe(0);
      const { link } = JSON.parse(stdout) as { link: string };
      expect(link.startsWith(`http://127.0.0.1:${port}/reset-password?token=`)).toBe(true);
      return link.slice(`http://127.0.0.1:${port}`.length);
    };
    const [older, link] = [await makeLink(), await makeLink()];
    const server = await startProduct({ dataDir, port });
    const before = new PlainBrowser(port);
    expect(await before.signIn(user)).toBe(200);

    const browser = new PlainBrowser(port);
    expect((await browser.ask(older)).text).toContain("has expired or was already used");
    expect((await browser.ask("/reset-password?token=x")).text).toContain(
      "has expired or was already used",
    );
    expect((await browser.ask(link)).text).toContain(user.email);
    const short = await browser.submit(link, /New password/, { password: "too short" });
    expect(short.text).toContain("Use at least 12 characters");
    expect((await before.ask("/orders")).status).toBe(200);
    const form = await browser.readForm(link, /New password/);
    const password = "a sentence that nobody guesses";
    const changed = await browser.send(link, { ...form, password });
    expect([changed.status, changed.headers.get("location")]).toEqual([
      303,
      expect.stringContaining("/sign-in?reset=done"),
    ]);
    const again = await browser.send(link, { ...form, password: `${password}, twice` });
    expect(again.text).toContain("has expired or was already used");

    expect((await before.ask("/orders")).headers.get("location")).toContain("/sign-in");
    const former = new PlainBrowser(port);
    await former.signIn(user);
    expect(former.session).toBeUndefined();
    const latter = new PlainBrowser(port);
    await latter.signIn({ email: user.email, password });
    expect(latter.session).toBeDefined();
    await server.stop();
  });
});

describe("an invalid command", () => {
  const WRONG = [
    "",
    "seeds",
    "seed",
    "seed --users 0 --deposit 5",
    "seed --users many --deposit 5",
    "seed --users 1 --deposit -5",
    "seed --users 1 --deposit 0.0000001",
    "seed --users 1 --deposit 5 --colour red",
    "keys:create --user usr_none --name x --scopes read",
    "keys:create --user $DEMO --name x --scopes write",
    "keys:create --user $DEMO --name x",
    "keys:create --user $DEMO --name x --scopes read --expires soon",
    "keys:create --user $DEMO --name x --scopes read --expires 2026-01-01T00:00:00Z",
    "keys:list",
    "keys:list --user usr_none",
    "keys:revoke",
    "keys:revoke --key none",
    "users:reset-link --user usr_none",
    "users:remove-factors",
    "users:remove-factors --user usr_none",
    "restore --from /nowhere --secrets /nowhere",
  ];

  it("prints the reason to standard error, exits with 1 and changes nothing", async () => {
    const dataDir = preparedDataDir();
    const { userId } = readDemo(dataDir);
    for (const line of WRONG) {
      const args = line === "" ? [] : line.replace("$DEMO", userId).split(" ");
      const { code, stdout, output } = await runAdmin([...args, "--json"], on(dataDir));
      expect([code, stdout], line).toEqual([1, ""]);
      expect(output.trim(), line).not.toBe("");
      expect(output, line).not.toMatch(/\n\s+at /);
    }
    const report = await expectCleanBooks(on(dataDir));
    expect(report).toEqual(await expectCleanBooks(on(preparedDataDir())));
  });
});

describe("while a server holds the embedded database", () => {
  it("every verb refuses and names the process that holds it", async () => {
    const server = await startPrepared();
    for (const args of [["verify"], ["seed", "--users", "1", "--deposit", "5"]]) {
      const { code, stdout, output } = await runAdmin([...args, "--json"], on(server.dataDir));
      expect([code, stdout]).toEqual([1, ""]);
      expect(output).toMatch(new RegExp(`\\b${server.pid}\\b`));
    }
    expect(await isHealthy(server.port)).toBe(true);
    expect((await server.stop()).code).toBe(0);
    await expectCleanBooks(on(server.dataDir));
  });
});

describe("npm run admin", () => {
  it("prints only the document", async () => {
    const env = { ...process.env, ...on(preparedDataDir()), LOG_LEVEL: "warn" };
    const args = ["run", "admin", "--", "verify", "--json"];
    const { stdout } = await promisify(execFile)("npm", args, { cwd: ROOT, env });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true });
  });
});

/** The user beside the demo account, whose history would give each statement many rows. */
const TRADER = "(select id from users where email <> 'demo@ante.local')";
const OPEN_ORDER = `(select id from orders where status = 'open' and user_id = ${TRADER})`;

/** Each statement changes one thing and returns what the report must name. */
const TAMPERINGS: readonly [string, readonly string[]][] = [
  [
    "a wrong balance, order, cost and claim",
    [
      `update ledger_accounts set balance_micro = balance_micro + 1 where kind = 'available' and asset = 'usdc' and user_id = ${TRADER} returning id as about`,
      `update orders set filled_shares_micro = filled_shares_micro - 1 where status <> 'open' and user_id = ${TRADER} returning id as about`,
      `update positions set cost_micro = cost_micro + 1 where user_id = ${TRADER} returning token_id as about`,
      `update idempotency_keys set order_id = 'ord_none' where order_id = ${OPEN_ORDER} returning 'ord_none' as about`,
    ],
  ],
  [
    "a wrong fill, position and hold",
    [
      `update fills set notional_micro = notional_micro + 1 where user_id = ${TRADER} returning order_id as about`,
      `update positions set shares_micro = shares_micro + 1 where user_id = ${TRADER} returning token_id as about`,
      `update orders set held_micro = held_micro - 1 where status = 'open' and user_id = ${TRADER} returning user_id as about`,
    ],
  ],
  [
    "a transfer that is gone and one that was changed",
    [
      `delete from ledger_transfers where kind = 'deposit' and credit_account in (select id from ledger_accounts where user_id = ${TRADER}) returning credit_account as about`,
      `update ledger_transfers set amount_micro = amount_micro + 1 where kind = 'hold' and order_id = ${OPEN_ORDER} returning credit_account as about`,
    ],
  ],
];

describe("verify", () => {
  let traded = "";
  /** Orders of the demo account's history. */
  let earlier = 0;

  beforeAll(async () => {
    const dataDir = preparedDataDir();
    ({ orders: earlier } = await expectCleanBooks(on(dataDir)));
    const server = await startPrepared({ dataDir });
    const key = traderKey();
    const tokenId = await anyToken(server.port, key);
    for (const order of [
      { orderType: "market", amount: 5 },
      { orderType: "limit", price: 0.1, shares: 10 },
    ]) {
      const body = { tokenId, action: "BUY", ...order };
      readData(await send(server.port, { method: "POST", path: "/v1/orders", key, body }));
    }
    await server.stop();
    traded = server.dataDir;
  });

  it("prints the counts and exits with 0 when the books agree", async () => {
    const { code, stdout } = await runAdmin(["verify", "--json"], on(traded));
    expect(code).toBe(0);
    const report = JSON.parse(stdout) as Record<string, unknown>;
    expect(Object.keys(report).toSorted()).toEqual([
      "accounts",
      "ok",
      "orders",
      "problems",
      "transfers",
    ]);
    expect(report).toMatchObject({ ok: true, orders: earlier + 2, problems: [] });
    expect(Number(report["transfers"])).toBeGreaterThan(4);
    const plain = await runAdmin(["verify"], on(traded));
    expect([plain.code, plain.stdout]).toEqual([0, expect.stringContaining("No mismatches")]);
  });

  it.each(TAMPERINGS)("reports %s and exits with 1", async (_what, statements) => {
    const copy = preparedDataDir(traded);
    const abouts = await tamper(copy, statements);
    const { code, stdout } = await runAdmin(["verify", "--json"], on(copy));
    expect(code).toBe(1);
    const report = JSON.parse(stdout) as { ok: boolean; problems: string[] };
    expect(report.ok).toBe(false);
    for (const about of abouts) expect(report.problems.join("\n")).toContain(about);
  });
});

/** Changes rows directly in the database. Returns what the report must name. */
async function tamper(dataDir: string, statements: readonly string[]): Promise<string[]> {
  const database = await PGlite.create({ dataDir: join(dataDir, "db") });
  try {
    // Disables the triggers that keep the ledger append-only.
    await database.exec("set session_replication_role = replica");
    const abouts: string[] = [];
    for (const statement of statements) {
      const { rows } = await database.query<{ about: string }>(statement);
      expect(rows, statement).toHaveLength(1);
      abouts.push(rows[0]?.about ?? "");
    }
    return abouts;
  } finally {
    await database.close();
  }
}
