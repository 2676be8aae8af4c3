// Behaviour while the venue's API differs from the contract that Ante knows.
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { setClock } from "@/lib/clock";
import { checkVenue } from "@/lib/cli/check-venue";
import { getBalance } from "@/lib/accounts/get-balance";
import { getContractState, startContractWatch } from "@/lib/orders/live/contract-watch";
import { readMetrics } from "@/lib/ops/metrics";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { getStatus } from "@/lib/ops/get-status";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import type { Fault } from "@/tests/support/live/fault-server";
import {
  type LiveUser,
  LONG_TIMEOUTS,
  makeLiveUser,
  RESTING,
  send,
  useLiveVenue,
} from "@/tests/support/live/venue";

const sandbox = await useLiveVenue(LONG_TIMEOUTS);
useFreshDatabase();

let user: LiveUser;
let stop: () => Promise<void> = async () => {};
let passed = 0;
let restore = () => {};
beforeAll(async () => {
  restore = setClock(() => Date.now() + passed);
  user = await makeLiveUser();
  // The check of an order needs an account with an open order.
  expect(await send(user, RESTING, "before")).toMatchObject({ status: 200 });
  return () => restore();
});
beforeEach(() => {
  sandbox.fault = () => null;
});
afterEach(async () => {
  await stop();
  stop = async () => {};
});

/** Changes the venue's response to a path. */
const changed =
  (path: string, change: (body: never) => unknown) =>
  (call: { path: string }): Fault | null =>
    call.path === path
      ? async (handle, answer) =>
          answer.send(Response.json(change((await (await handle()).json()) as never)))
      : null;
const answering =
  (path: RegExp, response: () => Response) =>
  (call: { path: string }): Fault | null =>
    path.test(call.path) ? async (_handle, answer) => answer.send(response()) : null;

async function watch(): Promise<void> {
  stop = startContractWatch();
  await settle();
}
async function settle(): Promise<void> {
  await vi.waitFor(() => expect(getContractState()?.running).toBeNull(), { timeout: 20_000 });
}
/** Advances the clock and waits for the check that is then due. */
async function later(ms: number): Promise<void> {
  passed += ms;
  await vi.waitFor(() => expect(getContractState()?.dueAt).toBeGreaterThan(Date.now() + passed), {
    timeout: 20_000,
  });
  await settle();
}
const postedSince = (count: number) =>
  sandbox.calls
    .slice(count)
    .filter(({ method, path }) => method === "POST" && path === "/clob/order");

type Wire = Record<string, unknown>;
const DIFFERENCES: [string, (call: { path: string }) => Fault | null, RegExp][] = [
  ["version 3", changed("/clob/version", () => ({ version: 3 })), /^version: .*says 3/],
  ["a version as text", changed("/clob/version", () => ({ version: "2" })), /^version: /],
  ["no version", changed("/clob/version", () => ({})), /^version: /],
  [
    "a page for its version",
    answering(/^\/clob\/version$/, () => new Response("<html>", { status: 200 })),
    /^version: /,
  ],
  [
    "no route for its version",
    answering(/^\/clob\/version$/, () => new Response("{}", { status: 404 })),
    /^version: .*404/,
  ],
  [
    "markets without token ids",
    changed("/gamma/markets", (list: Wire[]) =>
      list.map((market) => ({ ...market, clobTokenIds: undefined })),
    ),
    /^market: /,
  ],
  [
    "markets of other versions only",
    changed("/gamma/markets", (list: Wire[]) => list.map((one) => ({ ...one, version: "v3" }))),
    /^market: .*v1 or v2/,
  ],
  [
    "markets of Protocol V2 without position ids",
    changed("/gamma/markets", (list: Wire[]) =>
      list.map((one) => ({ ...one, version: "v2", positionIds: null })),
    ),
    /^market: no market has two token ids/,
  ],
  [
    "an object for its list of markets",
    changed("/gamma/markets", (list: Wire[]) => ({ data: list })),
    /^market: /,
  ],
  [
    "books whose levels are pairs",
    changed("/clob/book", (book: { bids: { price: string; size: string }[] }) => ({
      ...book,
      bids: book.bids.map(({ price, size }) => [price, size]),
    })),
    /^book: .*bids/,
  ],
  [
    "books of another version",
    changed("/clob/book", (book: Wire) => ({ ...book, version: "v2" })),
    /^book: .*v2/,
  ],
  [
    "orders whose sizes are named otherwise",
    changed("/clob/data/orders", (page: { data: Wire[] }) => ({
      ...page,
      data: page.data.map((one) => ({
        ...one,
        size: one["original_size"],
        original_size: undefined,
        size_matched: undefined,
      })),
    })),
    /^order: .*size/,
  ],
  [
    "a bare list of orders",
    changed("/clob/data/orders", (page: { data: Wire[] }) => page.data),
    /^order: /,
  ],
];

describe("a venue of the known contract", () => {
  it("is known at the start and takes orders", async () => {
    await watch();
    expect(getContractState()).toMatchObject({ verdict: "known", differences: [] });
    expect(await send(user, RESTING, "known")).toMatchObject({ status: 200 });
    expect(await readMetrics()).toContain("\nante_venue_contract_known 1\n");
    expect((await getStatus()).contract).toMatchObject({ verdict: "known" });
  });

  it("is checked again after an hour, not before", async () => {
    await watch();
    const asked = () => sandbox.calls.filter(({ path }) => path === "/clob/version").length;
    const before = asked();
    passed += 3_500_000;
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(asked()).toBe(before);
    await later(200_000);
    expect(asked()).toBe(before + 1);
  });
});

describe.each(DIFFERENCES)("a venue with %s", (name, fault, difference) => {
  it("takes no live orders until the contract is known again; cancels and reads still work", async () => {
    const { orderId } = await send(user, RESTING, `open ${name}`);
    sandbox.fault = fault;
    await watch();
    expect(getContractState()?.verdict).toBe("unknown");
    expect(getContractState()?.differences.join("\n")).toMatch(difference);
    const calls = sandbox.calls.length;
    expect(await send(user, RESTING, name)).toMatchObject({ status: 502, code: "TRADING_PAUSED" });
    expect(await send(user, RESTING, `open ${name}`)).toMatchObject({ status: 200, orderId });
    expect(postedSince(calls)).toEqual([]);
    expect(await readMetrics()).toContain("\nante_venue_contract_known 0\n");
    expect((await getStatus()).contract?.differences.join()).toMatch(difference);
    expect((await getBalance(user.live)).balanceUsdc).toBeGreaterThan(0n);
    const canceled = await cancelOrder(user.live, orderId ?? "");
    expect(canceled.status).toBe("canceled");
    sandbox.fault = () => null;
    await later(15_000);
    expect(getContractState()?.verdict).toBe("known");
    expect(await send(user, RESTING, name)).toMatchObject({ status: 200 });
  });
});

describe("a venue that does not respond", () => {
  const outage = () => answering(/./, () => new Response("<html>", { status: 503 }));

  it("keeps its last verdict", async () => {
    await watch();
    sandbox.fault = outage();
    await later(3_600_000);
    expect(getContractState()?.verdict).toBe("known");
    sandbox.fault = changed("/clob/version", () => ({ version: 3 }));
    await later(15_000);
    expect(getContractState()?.verdict).toBe("unknown");
    sandbox.fault = outage();
    await later(15_000);
    expect(getContractState()?.verdict).toBe("unknown");
  });

  it("takes no orders before its first response, and then immediately", async () => {
    sandbox.fault = answering(/^\/clob\/version$/, () => new Response("", { status: 503 }));
    await watch();
    expect(getContractState()?.verdict).toBeNull();
    const refused = { status: 502, code: "UPSTREAM_UNAVAILABLE" };
    expect(await send(user, RESTING, "first response")).toMatchObject(refused);
    sandbox.fault = () => null;
    expect(await send(user, RESTING, "first response")).toMatchObject({ status: 200 });
  });

  it("keeps the known contract when it rejects one account's credentials", async () => {
    sandbox.fault = answering(/^\/clob\/data\/orders$/, () =>
      Response.json({ error: "Unauthorized/Invalid api key" }, { status: 401 }),
    );
    await watch();
    expect(getContractState()?.verdict).toBe("known");
  });
});

describe("npm run venue:check", () => {
  async function run(): Promise<{ code: number; text: string }> {
    const written: string[] = [];
    const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    const code = await checkVenue().finally(() => spy.mockRestore());
    return { code, text: written.join("") };
  }

  it("exits with 0 if nothing differs", async () => {
    const { code, text } = await run();
    expect(text).toContain("version  as expected");
    expect(code).toBe(0);
  });

  it("prints the differences and exits with 1", async () => {
    sandbox.fault = changed("/clob/version", () => ({ version: 3 }));
    const { code, text } = await run();
    expect(text).toMatch(/version {2}DIFFERS +GET \/version says 3 instead of 2/);
    expect(code).toBe(1);
  });

  it("exits with 2 without a response", async () => {
    sandbox.fault = answering(/./, () => new Response("", { status: 502 }));
    expect((await run()).code).toBe(2);
  });
});
