// The packages for other programs, packed and installed into an empty folder, against the built service.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Ante, signWebhook } from "@ante/client";
import { build } from "esbuild";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build as buildService } from "@/lib/cli/prepare.mjs";
import { createSecret } from "@/lib/webhooks/sign";
import { freePort } from "@/tests/support/database/postgres.mjs";
import { startFaultyProxy } from "@/tests/support/client/faulty-proxy";
import {
  type Finished,
  installPackages,
  type InstalledPackages,
} from "@/tests/support/client/installed-packages";
import { connectToCommand } from "@/tests/support/mcp/client";
import {
  allOrders,
  anyToken,
  cleanUpAfterwards,
  expectCleanBooks,
  listMarkets,
  type Product,
  send,
  startPrepared,
  traderKey,
  until,
} from "@/tests/support/product/product";

cleanUpAfterwards();

/** `CLI_KILL_ROUNDS=100 npm test -- tests/product/packages` kills the command a hundred times. */
const KILL_ROUNDS = Number(process.env["CLI_KILL_ROUNDS"] ?? 4);
const MAX_BROWSER_BYTES = 15_000;

let product: Product;
let packages: InstalledPackages;
let url = "";
let tokenId = "";

beforeAll(async () => {
  packages = installPackages();
  product = await startPrepared();
  url = `http://127.0.0.1:${product.port}`;
  tokenId = await anyToken(product.port, traderKey());
});
afterAll(() => packages.remove());

describe("packing", () => {
  it("leaves the build of the service current, so that npm start doesn't replace it", async () => {
    const builtAt = statSync("dist/.ante-build").mtimeMs;
    await buildService();
    expect(statSync("dist/.ante-build").mtimeMs).toBe(builtAt);
  });
});

describe("the packed client", () => {
  it("bundles for a browser below 15 kB, without Node", async () => {
    const entry = join(packages.folder, "node_modules/@ante/client/dist/index.js");
    const options = { bundle: true, minify: true, write: false, platform: "browser" } as const;
    const { outputFiles } = await build({ entryPoints: [entry], format: "esm", ...options });
    expect(gzipSync(outputFiles[0]?.contents ?? "").length).toBeLessThan(MAX_BROWSER_BYTES);
  });

  it("ships the types that its manifest names", () => {
    const manifest = join(packages.folder, "node_modules/@ante/client/package.json");
    const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as {
      exports: Record<string, { types?: string }>;
    };
    for (const name of [".", "./node"]) {
      const types = join(packages.folder, "node_modules/@ante/client", exports[name]?.types ?? "");
      expect(statSync(types).size).toBeGreaterThan(0);
    }
  });
});

describe("the recipes of the client's README", () => {
  const readme = readFileSync("packages/client/README.md", "utf8");
  const [setUp = "", ...recipes] = [...readme.matchAll(/```js\n(.*?)```/gs)].map(
    ([, code = ""]) => code,
  );
  const headings = [...readme.matchAll(/^### \d+\. (.+)$/gm)].map(([, heading = ""]) => heading);
  const OUTPUT = [
    /token \d+/,
    /^filled ord_\w+ Order filled/m,
    /placed once: true/,
    /every order has a known outcome/,
    /refused: This order needs/,
    /canceled with 200 shares unfilled/,
    /fees of all fills: \d+\.\d+ USDC/,
    /^placeOrder accepted$/m,
    /^1 deposit\.created$/m,
  ];

  beforeAll(() => writeFileSync(join(packages.folder, "ante.mjs"), setUp));

  const write = (index: number) => {
    const file = `recipe-${index + 1}.mjs`;
    writeFileSync(join(packages.folder, file), recipes[index] ?? "");
    return file;
  };
  const env = () => ({ ANTE_URL: url, ANTE_API_KEY: traderKey() });

  it("are eleven", () => {
    expect([headings.length, recipes.length]).toEqual([11, 11]);
  });

  it.each(OUTPUT.map((output, index) => ({ heading: headings[index], output, index })))(
    "$heading: runs as written",
    async ({ output, index }) => {
      const { code, stdout, stderr } = await packages.start([write(index)], env()).finished;
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(output);
    },
  );

  it("Receive webhooks: accepts what is signed, and refuses the rest", async () => {
    const port = await freePort();
    const secret = createSecret();
    const receiver = packages.start([write(9)], {
      PORT: String(port),
      ANTE_WEBHOOK_SECRET: secret,
    });
    const body = '{"type":"fill.created","seq":7}';
    const headers = await signWebhook({ id: "msg_1", timestamp: new Date(), body }, secret);
    const post = (text: string) =>
      send(port, { method: "POST", path: "/", body: text, headers }).then(
        ({ status }) => status,
        () => null,
      );
    await until("the receiver responds", () => post(body));
    expect([await post(body), await post(`${body} `)]).toEqual([204, 400]);
    receiver.child.kill();
    expect((await receiver.finished).stdout).toBe("fill.created 7\n");
  });
});

describe("Make a market, the last recipe", () => {
  const code = () => {
    const readme = readFileSync("packages/client/README.md", "utf8");
    return [...readme.matchAll(/```js\n(.*?)```/gs)].at(-1)?.[1] ?? "";
  };

  it("takes at most 60 lines", () => {
    expect(code()).toContain("postOnly: true");
    expect(code().trim().split("\n").length).toBeLessThanOrEqual(60);
  });

  it("places each bid once although responses are lost, and leaves none open", async () => {
    writeFileSync(join(packages.folder, "make-market.mjs"), code());
    const ante = new Ante({ baseUrl: url, apiKey: traderKey() });
    const markets = await listMarkets(product.port, traderKey(), 100);
    const { id: marketId = "" } =
      markets.find(({ outcomes }) => outcomes.some((each) => each.tokenId === tokenId)) ?? {};
    const before = (await ante.orders.list().page()).orders.map(({ id }) => id);
    const proxy = await startFaultyProxy(product.port);
    const env = { ANTE_URL: proxy.url, ANTE_API_KEY: traderKey() };
    const running = packages.start(["make-market.mjs", marketId], env);
    const listNew = async () =>
      (await ante.orders.list().page()).orders.filter(({ id }) => !before.includes(id));
    for (const step of ["after", "before"] as const) {
      proxy.fail({ step, manner: "reset", times: 3 });
      await until("the responses are lost", async () => proxy.countFailed() === 3);
    }
    await until("both bids are open", async () => (await listNew()).length >= 2);
    running.child.kill("SIGINT");
    const { code: exitCode, stdout, stderr } = await running.finished;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/^stopped, \d+ orders canceled$/m);
    const placed = await listNew();
    const bids = stdout.match(/^bid /gm) ?? [];
    expect(placed.length).toBeGreaterThanOrEqual(bids.length);
    expect(new Set(placed.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(placed.length);
    expect((await ante.orders.listOpen({ market: marketId }).page()).orders).toEqual([]);
    await proxy.close();
  });
});

describe("the command line", () => {
  const PROGRAM = "node_modules/@ante/cli/dist/main.js";
  const written: Finished[] = [];
  const home = (name = "home") => join(packages.folder, name);
  const startCommand = (args: readonly string[], env: Record<string, string> = {}, input = "") =>
    packages.start([PROGRAM, ...args], { ANTE_HOME: home(), ...env }, input);
  const run = async (args: readonly string[], env: Record<string, string> = {}, input = "") => {
    const finished = await startCommand(args, env, input).finished;
    written.push(finished);
    return finished;
  };
  const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;
  const buy = (...more: string[]) => {
    const order = ["--token", tokenId, "--action", "buy", "--amount", "2"];
    return ["order", "place", ...order, ...more];
  };

  it("stores the key in a file that only its owner can read", async () => {
    const { code, stdout } = await run(["login", "--url", url], {}, `${traderKey()}\n`);
    expect(code).toBe(0);
    expect(parse(stdout)).toMatchObject({ url, mode: "paper" });
    expect(statSync(join(home(), "login.json")).mode & 0o777).toBe(0o600);
  });

  it("stores no key that the service refuses", async () => {
    const env = { ANTE_HOME: home("other") };
    const wrong = `ante_paper_${"a".repeat(46)}`;
    const { code, stderr } = await run(["login", "--url", url], env, wrong);
    expect(code).toBe(2);
    expect(parse(stderr)).toMatchObject({ error: { code: "INVALID_API_KEY" } });
    expect((await run(["balance"], env)).code).toBe(2);
  });

  it("previews, places, finds, lists and cancels an order", async () => {
    const preview = ["order", "preview", "--token", tokenId, "--action", "buy", "--amount", "2"];
    expect(parse((await run(preview)).stdout)).toMatchObject({ refusal: null });
    const placed = parse((await run(buy())).stdout);
    expect(placed).toMatchObject({ mode: "paper", status: "filled" });
    const byKey = ["order", "get", "--key", String(placed["idempotencyKey"])];
    expect(parse((await run(byKey)).stdout)).toMatchObject({ id: placed["orderId"] });
    const quote = buy("--type", "limit", "--price", "0.01", "--post-only");
    const { orderId } = parse((await run(quote)).stdout);
    const canceled = await run(["order", "cancel", String(orderId)]);
    expect(parse(canceled.stdout)).toMatchObject({ id: orderId, status: "canceled" });
    const { orders } = parse((await run(["order", "list", "--limit", "1"])).stdout);
    expect(orders).toMatchObject([{ id: orderId }]);
  });

  it("exits with 1 for a refusal, and with 64 for a wrong command, with a hint", async () => {
    const refused = await run(["order", "get", "ord_none"]);
    expect(refused.code).toBe(1);
    expect(parse(refused.stderr)).toMatchObject({
      error: { code: "ORDER_NOT_FOUND", hint: expect.any(String) as string },
    });
    for (const args of [["nothing"], ["order", "place"], buy("--amount", "1e3"), buy("--nothing")])
      expect((await run(args)).code, args.join(" ")).toBe(64);
  });

  it("names a wrong key, address, number, failure or market, and sends no order", async () => {
    const before = (await allOrders(product.port, traderKey())).length;
    const cancelAll = ["order", "cancel", "--all", "--market", "nope"];
    const runs = [
      [await run(["balance"], { ANTE_API_KEY: "garbage" }), 2, "INVALID_KEY"],
      [await run(["login", "--url", url], {}, "garbage\n"), 2, "INVALID_KEY"],
      [await run(["mcp"], { ANTE_API_KEY: `ante_paper_${"a".repeat(46)}` }), 2, "INVALID_API_KEY"],
      [await run(["balance"], { ANTE_URL: "127.0.0.1:3000" }), 64, "ANTE_URL"],
      [await run(buy("--amount", "five")), 64, "--amount"],
      [await run(buy("--simulate", "luck")), 64, "--simulate"],
      [await run(cancelAll), 1, "MARKET_NOT_FOUND"],
    ] as const;
    for (const [{ code, stdout, stderr }, expected, text] of runs) {
      expect({ code, stdout }, text).toEqual({ code: expected, stdout: "" });
      expect(stderr).toContain(text);
    }
    expect(await allOrders(product.port, traderKey())).toHaveLength(before);
  });

  it("shows its version, and the commands of a group", async () => {
    expect((await run(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const { code, stdout } = await run(["order", "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}order place /m);
    expect(stdout).not.toContain("webhooks listen");
  });

  it("forgets an order that was sent to a wrong address, if that is confirmed", async () => {
    const wrong = `http://127.0.0.1:${await freePort()}`;
    const env = { ANTE_URL: url, ANTE_HOME: home("forgotten"), ANTE_API_KEY: traderKey() };
    const sent = await run(buy("--deadline", "1"), { ...env, ANTE_URL: wrong });
    expect(sent.code).toBe(3);
    const { idempotencyKey } = (parse(sent.stderr) as { error: { idempotencyKey: string } }).error;
    const resumed = await run(["order", "resume"], env);
    expect([resumed.code, resumed.stdout]).toEqual([3, expect.stringContaining(wrong)]);
    expect((await run(["doctor"], env)).stdout).toContain(wrong);
    const forget = ["order", "forget", idempotencyKey];
    expect((await run(forget, env)).code).toBe(1);
    expect((await run(["doctor"], env)).code).toBe(1);
    expect((await run([...forget, "--yes"], env)).code).toBe(0);
    expect((await run([...forget, "--yes"], env)).code).toBe(1);
    expect((await run(["doctor"], env)).code).toBe(0);
    expect(await countOrders(idempotencyKey)).toBe(0);
  });

  it("sends nothing with a live key unless --live is given, or with --live and a paper key", async () => {
    const proxy = await startFaultyProxy(product.port);
    proxy.fail({ step: "before", manner: "reset", times: Infinity });
    const live = { ANTE_API_KEY: `ante_live_${"a".repeat(46)}`, ANTE_URL: proxy.url };
    const one = await run(buy("--deadline", "1"), live);
    const other = await run(buy("--live", "--deadline", "1"), { ANTE_URL: proxy.url });
    expect([one.code, other.code, proxy.countFailed()]).toEqual([1, 1, 0]);
    await proxy.close();
  });

  it("exits with 3 when the outcome is unknown, and finishes the same order later", async () => {
    const proxy = await startFaultyProxy(product.port);
    const env = { ANTE_URL: proxy.url, ANTE_HOME: home("unknown"), ANTE_API_KEY: traderKey() };
    proxy.fail({ step: "after", manner: "reset", times: Infinity });
    const unknown = await run(buy("--deadline", "1"), env);
    expect(unknown.code).toBe(3);
    const { idempotencyKey } = (parse(unknown.stderr) as { error: { idempotencyKey: string } })
      .error;
    expect((await run(["order", "resume", "--deadline", "1"], env)).code).toBe(3);
    proxy.fail({ step: "after", manner: "reset", times: 0 });
    const resumed = await run(["order", "resume"], env);
    expect(resumed.code).toBe(0);
    expect(parse(resumed.stdout)).toMatchObject({
      resumed: [{ key: idempotencyKey, outcome: "accepted" }],
    });
    expect(await countOrders(idempotencyKey)).toBe(1);
    await proxy.close();
  });

  it(`finishes the same order after each of ${KILL_ROUNDS} kills between write and answer`, async () => {
    const proxy = await startFaultyProxy(product.port);
    const env = { ANTE_URL: proxy.url, ANTE_HOME: home("killed"), ANTE_API_KEY: traderKey() };
    for (let round = 0; round < KILL_ROUNDS; round += 1) {
      const step = round % 2 === 0 ? "after" : "before";
      proxy.fail({ step, manner: "hang", times: 1 });
      const failing = proxy.waitForFailure();
      const placing = startCommand(buy(), env);
      await failing;
      placing.child.kill("SIGKILL");
      expect((await placing.finished).stdout).toBe("");
      const { code, stdout } = await run(["order", "resume"], env);
      const { resumed } = parse(stdout) as { resumed: { key: string; order: string }[] };
      expect([code, resumed.length]).toEqual([0, 1]);
      expect(await countOrders(resumed[0]?.key ?? "")).toBe(1);
    }
    expect(parse((await run(["order", "resume"], env)).stdout)).toEqual({ resumed: [] });
    await proxy.close();
  });

  it("follows events, one line of JSON each", async () => {
    const { code, stdout } = await run(["events", "follow", "--after", "0", "--count", "3"]);
    const lines = stdout.trim().split("\n").map(parse);
    expect([code, lines.map(({ seq }) => seq)]).toEqual([0, [1, 2, 3]]);
  });

  it("forwards events with the service's bytes, signed as webhooks", async () => {
    const received: { body: string; headers: Record<string, string> }[] = [];
    const receiver = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
      received.push({ body, headers: request.headers as Record<string, string> });
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const listen = ["webhooks", "listen", "--forward", target, "--after", "0", "--count", "3"];
    const { code, stderr, stdout } = await run(listen);
    receiver.close();
    expect(code).toBe(0);
    expect(stdout.trim().split("\n").map(parse)).toMatchObject(
      [1, 2, 3].map((seq) => ({ seq, status: 204 })),
    );
    const secret = /whsec_\S+/.exec(stderr)?.[0] ?? "";
    const path = "/v1/events?after=0&limit=3";
    const { text } = await send(product.port, { method: "GET", path, key: traderKey() });
    for (const { body, headers } of received) {
      expect(new Webhook(secret).verify(body, headers)).toBeTruthy();
      expect(text).toContain(body);
    }
  });

  it("serves every tool to an agent on standard input and output", async () => {
    const { client, call } = await connectToCommand({
      command: process.execPath,
      args: [join(packages.folder, PROGRAM), "mcp"],
      env: { ANTE_HOME: home() },
    });
    const order = { tokenId, action: "BUY", orderType: "limit", price: 0.01, shares: 5 };
    const found = (await call("search_markets")).data["markets"] as { marketId: string }[];
    const { data } = await call("place_order", { ...order, postOnly: true });
    const { orderId, idempotencyKey } = data;
    const calls = {
      place_order: { ...order, postOnly: true, idempotencyKey },
      search_markets: {},
      read_book: { marketId: found[0]?.marketId },
      // Results have decimals as text.
      preview_order: { ...order, price: "0.01", shares: "5" },
      list_orders: { orderId },
      cancel_order: { orderId },
      cancel_all_orders: {},
      get_positions: {},
      get_balance: {},
      list_activity: {},
      list_events: {},
      get_key: {},
    };
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(calls).toSorted());
    for (const [name, args] of Object.entries(calls)) {
      const { isError, text } = await call(name, args);
      expect(isError, `${name}: ${text}`).toBe(false);
      written.push({ code: 0, stdout: text, stderr: "" });
    }
    await client.close();
    expect(await countOrders(String(idempotencyKey))).toBe(1);
  });

  it("serves no tools with a live key unless --live is given", async () => {
    const { code, stdout } = await run(["mcp"], {
      ANTE_API_KEY: `ante_live_${"a".repeat(46)}`,
      ANTE_URL: url,
    });
    expect([code, stdout]).toEqual([1, ""]);
  });

  it("exits with 5 if an order waits for approval, and with 4 at a limit", async () => {
    const owner = new Ante({ baseUrl: url, apiKey: traderKey() });
    await owner.key.lowerLimits({ approvalAbove: "1" });
    const waiting = await run(buy());
    expect(waiting.code).toBe(5);
    expect(parse(waiting.stdout)).toMatchObject({
      status: "pending_approval",
      approvalUrl: expect.stringContaining("/approvals/ord_") as string,
    });
    await owner.key.lowerLimits({ perOrder: "1" });
    const refused = await run(buy());
    expect(refused.code).toBe(4);
    expect(parse(refused.stderr)).toMatchObject({ error: { code: "RISK_LIMIT_EXCEEDED" } });
  });

  it("freezes the key only if that is confirmed, and the doctor finds it", async () => {
    expect((await run(["doctor"])).code).toBe(0);
    expect((await run(["freeze"])).code).toBe(1);
    expect((await run(["freeze", "--yes"])).code).toBe(0);
    expect((await run(buy())).code).toBe(4);
    const { code, stdout } = await run(["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toContain("It is frozen");
  });

  it("has written the API key nowhere but into the file of the login", () => {
    const secret = traderKey().slice(-38);
    expect(written.length).toBeGreaterThan(20);
    for (const { stdout, stderr } of written) expect(stdout + stderr).not.toContain(secret);
    const files = readdirSync(packages.folder, { recursive: true, encoding: "utf8" })
      .filter((name) => !name.startsWith("node_modules"))
      .map((name) => join(packages.folder, name))
      .filter((path) => statSync(path).isFile());
    const found = files.filter((path) => readFileSync(path, "latin1").includes(secret));
    expect(found).toEqual([join(home(), "login.json")]);
    expect(product.output()).not.toContain(secret);
  });

  async function countOrders(idempotencyKey: string): Promise<number> {
    const orders = await allOrders(product.port, traderKey());
    return orders.filter((order) => order.idempotencyKey === idempotencyKey).length;
  }
});

it("the books agree after all of it", async () => {
  await product.stop();
  await expectCleanBooks({ DATA_DIR: product.dataDir });
});
