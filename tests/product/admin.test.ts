import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { PGlite } from "@electric-sql/pglite";
import { beforeAll, describe, expect, it } from "vitest";
import {
  anyToken,
  cleanUpAfterwards,
  codeOf,
  dataOf,
  demoKey,
  expectCleanBooks,
  isHealthy,
  preparedDataDir,
  readDemo,
  ROOT,
  runAdmin,
  send,
  type SeededUser,
  startPrepared,
  startProduct,
} from "@/tests/support/product";

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
      expect(dataOf(balance)).toMatchObject({
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

  it("says in a sentence what it did, and shows no key, without --json", async () => {
    const { code, stdout } = await runAdmin(
      ["seed", "--users", "1", "--deposit", "5"],
      on(preparedDataDir()),
    );
    expect(code).toBe(0);
    expect(stdout).toContain("1");
    expect(stdout).not.toContain("ante_paper_");
  });
});

describe("keys:create", () => {
  it("prints a key that may do what its scopes say, until it expires", async () => {
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
    const expired = await create("read", "--expires", new Date(Date.now() - 1000).toISOString());

    const { port, stop } = await startProduct({ dataDir });
    const ask = (key: string, method: string, path: string) =>
      send(port, { method, path, key, ...(method === "POST" ? { body: {} } : {}) });
    expect(dataOf(await ask(reader.apiKey, "GET", "/v1/key"))).toMatchObject({
      id: reader.keyId,
      name: "of a test",
      scopes: ["read"],
      userId,
    });
    expect((await ask(reader.apiKey, "GET", "/v1/account/balance")).status).toBe(200);
    expect(codeOf(await ask(reader.apiKey, "POST", "/v1/orders"))).toBe("INSUFFICIENT_SCOPE");
    expect(codeOf(await ask(trader.apiKey, "GET", "/v1/account/balance"))).toBe(
      "INSUFFICIENT_SCOPE",
    );
    expect(codeOf(await ask(trader.apiKey, "POST", "/v1/orders"))).toBe("VALIDATION_ERROR");
    expect(codeOf(await ask(expired.apiKey, "GET", "/v1/account/balance"))).toBe("API_KEY_EXPIRED");
    await stop();
  });
});

describe("what cannot be done", () => {
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
  ];

  it("is told on standard error with exit code 1, and changes nothing", async () => {
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
  it("every verb refuses and names the holder", async () => {
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
  it("prints nothing but the document", async () => {
    const env = { ...process.env, ...on(preparedDataDir()), LOG_LEVEL: "warn" };
    const args = ["run", "admin", "--", "verify", "--json"];
    const { stdout } = await promisify(execFile)("npm", args, { cwd: ROOT, env });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true });
  });
});

/** Each statement changes one thing and returns what the complaint must name. */
const TAMPERINGS: readonly [string, readonly string[]][] = [
  [
    "a wrong balance, order, cost and claim",
    [
      "update ledger_accounts set balance_micro = balance_micro + 1 where kind = 'available' and asset = 'usdc' returning id as about",
      "update orders set filled_shares_micro = filled_shares_micro - 1 where status <> 'open' returning id as about",
      "update positions set cost_micro = cost_micro + 1 returning token_id as about",
      "update idempotency_keys set order_id = 'ord_none' where order_id = (select id from orders where status = 'open') returning 'ord_none' as about",
    ],
  ],
  [
    "a wrong fill, position and hold",
    [
      "update fills set notional_micro = notional_micro + 1 returning order_id as about",
      "update positions set shares_micro = shares_micro + 1 returning token_id as about",
      "update orders set held_micro = held_micro - 1 where status = 'open' returning user_id as about",
    ],
  ],
  [
    "a transfer that is gone and one that was changed",
    [
      "delete from ledger_transfers where kind = 'deposit' returning credit_account as about",
      "update ledger_transfers set amount_micro = amount_micro + 1 where kind = 'hold' and order_id = (select id from orders where status = 'open') returning credit_account as about",
    ],
  ],
];

describe("verify", () => {
  let traded = "";

  beforeAll(async () => {
    const server = await startPrepared();
    const key = demoKey(server);
    const tokenId = await anyToken(server.port, key);
    for (const order of [
      { orderType: "market", amount: 5 },
      { orderType: "limit", price: 0.1, shares: 10 },
    ]) {
      const body = { tokenId, action: "BUY", ...order };
      dataOf(await send(server.port, { method: "POST", path: "/v1/orders", key, body }));
    }
    await server.stop();
    traded = server.dataDir;
  });

  it("counts what there is and exits 0 when the books agree", async () => {
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
    expect(report).toMatchObject({ ok: true, orders: 2, problems: [] });
    expect(Number(report["transfers"])).toBeGreaterThan(4);
    const plain = await runAdmin(["verify"], on(traded));
    expect([plain.code, plain.stdout]).toEqual([0, expect.stringContaining("agree")]);
  });

  it.each(TAMPERINGS)("tells of %s, and exits 1", async (_what, statements) => {
    const copy = preparedDataDir(traded);
    const abouts = await tamper(copy, statements);
    const { code, stdout } = await runAdmin(["verify", "--json"], on(copy));
    expect(code).toBe(1);
    const report = JSON.parse(stdout) as { ok: boolean; problems: string[] };
    expect(report.ok).toBe(false);
    for (const about of abouts) expect(report.problems.join("\n")).toContain(about);
  });
});

/** Changes rows behind the service's back; returns what the complaints must name. */
async function tamper(dataDir: string, statements: readonly string[]): Promise<string[]> {
  const database = await PGlite.create({ dataDir: join(dataDir, "db") });
  try {
    // Without the triggers that keep the ledger append-only.
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
