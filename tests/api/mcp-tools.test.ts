import { beforeAll, describe, expect, it } from "vitest";
import { setLimits } from "@/lib/limits/change-limits";
import { usdc } from "@/lib/units";
import { place, readOrder } from "@/tests/support/api/client";
import { loadMarkets, orderFor, type TestMarkets, useExchange } from "@/tests/support/api/exchange";
import { databaseState, expectUnchanged } from "@/tests/support/api/state";
import {
  connect,
  connectThrough,
  PROTOCOL_VERSIONS,
  sendToApi,
  type ToolAnswer,
} from "@/tests/support/mcp/client";
import { makeUser, type TestUser } from "@/tests/support/users";

useExchange();

let user: TestUser;
let markets: TestMarkets;

beforeAll(async () => {
  user = await makeUser();
  markets = await loadMarkets(user.apiKey);
});

/** Models count tokens differently. Three characters each is more than any of them counts for English. */
const CHARACTERS_PER_TOKEN = 3;

const READS = [
  "search_markets",
  "read_book",
  "preview_order",
  "list_orders",
  "get_positions",
  "get_balance",
  "list_activity",
  "list_events",
  "get_key",
];
const WRITES = ["place_order", "cancel_order", "cancel_all_orders"];

const limitKey = ({ userId, principal: { keyId } }: TestUser, limits: object) =>
  setLimits({ userId, subject: { scope: "key", keyId }, limits });

/** An order of 5 shares at a cent, which stays open. */
const restingOrder = () => orderFor(markets.free);

const readOrders = async (owner: TestUser) => {
  const { call } = await connect(owner.apiKey);
  return (await call("list_orders")).data["orders"] as Record<string, unknown>[];
};

describe.each(PROTOCOL_VERSIONS)("with a client of the protocol of %s", (protocol) => {
  it("every tool is listed and answers", async () => {
    const owner = await makeUser();
    const { client, call } = await connect(owner.apiKey, protocol);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual([...READS, ...WRITES].toSorted());
    const answers: Record<string, ToolAnswer> = {};
    const ask = async (name: string, args = {}) => {
      answers[name] = await call(name, args);
      expect(answers[name]?.isError, answers[name]?.text).toBe(false);
      return answers[name]?.data ?? {};
    };
    const { id, outcomes } = markets.free;
    const [{ tokenId }] = outcomes;
    expect(await ask("search_markets", { limit: 2 })).toMatchObject({ markets: [{}, {}] });
    expect(await ask("read_book", { marketId: id, levels: 1 })).toMatchObject({
      marketId: id,
      tokenId,
      bids: [{}],
      asks: [{}],
    });
    expect(await ask("preview_order", restingOrder())).toMatchObject({
      mode: "paper",
      mostItCanCostUsdc: "0.05",
      refusal: null,
    });
    const { orderId } = await ask("place_order", restingOrder());
    expect(await ask("list_orders", { orderId })).toMatchObject({ orders: [{ orderId }] });
    expect(await ask("cancel_order", { orderId })).toMatchObject({ orderId, status: "canceled" });
    expect(await ask("cancel_all_orders")).toMatchObject({ canceled: [], notCanceled: [] });
    expect(await ask("get_positions")).toMatchObject({ balanceUsdc: "1000", positions: [] });
    expect(await ask("get_balance")).toMatchObject({ balanceUsdc: "1000" });
    expect(await ask("list_activity")).toMatchObject({ lines: [{ kind: "deposit" }] });
    const { lastSeq } = await ask("list_events", { types: ["order.canceled"] });
    expect(answers["list_events"]?.data["events"]).toMatchObject([{ type: "order.canceled" }]);
    expect(await ask("list_events", { after: lastSeq })).toMatchObject({ events: [], lastSeq });
    expect(await ask("get_key")).toMatchObject({ keyId: owner.principal.keyId, mode: "paper" });
    expect(Object.keys(answers).toSorted()).toEqual([...READS, ...WRITES].toSorted());
  });

  it("an order above approvalAbove returns the page of its approval", async () => {
    const owner = await makeUser();
    await limitKey(owner, { approvalAbove: usdc(10_000n), perDay: usdc(1_000_000n) });
    const { call } = await connect(owner.apiKey, protocol);
    const { data } = await call("place_order", restingOrder());
    expect(data).toMatchObject({ status: "pending_approval", keyMayStillSpendUsdc: "0.95" });
    expect(data["approvalUrl"]).toBe(`http://127.0.0.1:3000/approvals/${String(data["orderId"])}`);
  });
});

describe("a client that can open pages", () => {
  const capabilities = { elicitation: { url: {} } };
  const makeOwner = async () => {
    const owner = await makeUser();
    await limitKey(owner, { approvalAbove: usdc(10_000n), perDay: usdc(1_000_000n) });
    return owner;
  };

  it.each(["accept", "decline", "cancel"] as const)(
    "of 2026 is asked for the approval, and the order is placed once after %s",
    async (action) => {
      const owner = await makeOwner();
      const { client, call } = await connect(owner.apiKey, "2026-07-28", { capabilities });
      const asked: unknown[] = [];
      client.setRequestHandler("elicitation/create", ({ params }) => {
        asked.push(params);
        return { action };
      });
      const { data } = await call("place_order", restingOrder());
      expect(data).toMatchObject({ status: "pending_approval" });
      expect(asked).toMatchObject([{ mode: "url", url: data["approvalUrl"] }]);
      expect(await readOrders(owner)).toMatchObject([{ orderId: data["orderId"] }]);
    },
  );

  it("of 2025 is asked during the call where the connection stays", async () => {
    const owner = await makeOwner();
    const { client, call } = await connectThrough(owner.apiKey, sendToApi, { capabilities });
    const asked: unknown[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params);
      return { action: "accept" };
    });
    const { data } = await call("place_order", restingOrder());
    expect(data).toMatchObject({ status: "pending_approval" });
    expect(asked).toMatchObject([{ mode: "url", url: data["approvalUrl"] }]);
    expect(await readOrders(owner)).toHaveLength(1);
  });
});

describe("the descriptions", () => {
  it("take at most 6,000 tokens", async () => {
    const { client } = await connect(user.apiKey);
    const { tools } = await client.listTools();
    const text = JSON.stringify(tools) + (client.getInstructions() ?? "");
    expect(text.length / CHARACTERS_PER_TOKEN).toBeLessThanOrEqual(6_000);
  });

  it("say which tools read, and which change something", async () => {
    const { client } = await connect(user.apiKey);
    const { tools } = await client.listTools();
    const readOnly = tools.filter(({ annotations }) => annotations?.readOnlyHint);
    expect(readOnly.map(({ name }) => name).toSorted()).toEqual(READS.toSorted());
    const others = tools.filter(({ annotations }) => !annotations?.readOnlyHint);
    expect(
      Object.fromEntries(others.map(({ name, annotations }) => [name, annotations])),
    ).toMatchObject({
      place_order: { destructiveHint: true, idempotentHint: false },
      cancel_order: { destructiveHint: true, idempotentHint: true },
      cancel_all_orders: { destructiveHint: true, idempotentHint: true },
    });
  });

  it("have no argument for a mode, a key or an address", async () => {
    const { client } = await connect(user.apiKey);
    const { tools } = await client.listTools();
    const names = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}));
    expect(names.filter((name) => /mode|live|apiKey|secret|token$|url/i.test(name))).toEqual([]);
    expect(tools.every((tool) => tool.inputSchema["additionalProperties"] === false)).toBe(true);
  });
});

describe("a tool that changes something", () => {
  it("returns the mode, the most it can cost and what the key may still spend", async () => {
    const owner = await makeUser();
    const limits = {
      perDay: usdc(2_000_000n),
      total: usdc(1_500_000n),
      perOrder: usdc(1_000_000n),
    };
    await limitKey(owner, limits);
    const { call } = await connect(owner.apiKey);
    const common = { mode: "paper", keyMaySpendPerOrderUsdc: "1", warnings: [] };
    const { data: placed } = await call("place_order", restingOrder());
    expect(placed).toMatchObject({
      ...common,
      mostItCanCostUsdc: "0.05",
      keyMayStillSpendUsdc: "1.45",
    });
    const { data: canceled } = await call("cancel_order", { orderId: placed["orderId"] });
    const rest = { ...common, mostItCanCostUsdc: "0", keyMayStillSpendUsdc: "1.5" };
    expect(canceled).toMatchObject(rest);
    expect((await call("cancel_all_orders")).data).toMatchObject(rest);
  });

  it("warns if no limit bounds what the key can spend", async () => {
    const owner = await makeUser();
    await limitKey(owner, { perOrder: usdc(1_000_000n) });
    const { call } = await connect(owner.apiKey);
    for (const [name, args] of [
      ["preview_order", restingOrder()],
      ["place_order", restingOrder()],
      ["cancel_all_orders", {}],
      ["get_key", {}],
    ] as const) {
      const { data } = await call(name, args);
      expect(data, name).toMatchObject({ keyMayStillSpendUsdc: null });
      expect(data["warnings"], name).toEqual([expect.stringMatching(/No limit bounds/)]);
    }
  });

  it("returns the idempotency key, with which another call finishes the same order", async () => {
    const owner = await makeUser();
    const { call } = await connect(owner.apiKey);
    const { data: first } = await call("place_order", restingOrder());
    const { idempotencyKey } = first;
    const { data: second } = await call("place_order", { ...restingOrder(), idempotencyKey });
    expect(second).toEqual(first);
    const other = await call("place_order", { ...restingOrder(), idempotencyKey, shares: 6 });
    expect(other.data).toMatchObject({
      error: { code: "IDEMPOTENCY_KEY_REUSED" },
      mode: "paper",
      mostItCanCostUsdc: "0",
    });
    expect(await readOrders(owner)).toMatchObject([{ idempotencyKey, shares: "5" }]);
  });

  it("finishes an order whose response was lost", async () => {
    const owner = await makeUser();
    let lost = 0;
    const { call } = await connectThrough(owner.apiKey, async (input, init) => {
      const response = await sendToApi(input, init);
      if (init?.method !== "POST" || String(input).endsWith("/preview") || lost > 0)
        return response;
      lost += 1;
      throw new TypeError("fetch failed");
    });
    const { data } = await call("place_order", restingOrder());
    expect(data).toMatchObject({ status: "open", mostItCanCostUsdc: "0.05" });
    expect(lost).toBe(1);
    expect(await readOrders(owner)).toMatchObject([{ orderId: data["orderId"] }]);
  });

  it("says how to go on if the outcome stays unknown, and the repeated call ends it", async () => {
    const owner = await makeUser();
    let attempts = 0;
    const { call } = await connectThrough(owner.apiKey, async (input, init) => {
      const response = await sendToApi(input, init);
      if (init?.method !== "POST" || String(input).endsWith("/preview")) return response;
      attempts += 1;
      if (attempts === 1) throw new TypeError("fetch failed");
      const busy = { ok: false, error: { code: "RATE_LIMITED", message: "Too many requests." } };
      return attempts === 2
        ? Response.json(busy, { status: 429, headers: { "retry-after": "3600" } })
        : response;
    });
    const unknown = await call("place_order", restingOrder());
    expect(unknown).toMatchObject({
      isError: true,
      data: {
        error: { code: "OUTCOME_UNKNOWN" },
        hint: expect.stringMatching(/same arguments and this idempotencyKey/),
        mode: "paper",
        mostItCanCostUsdc: "0.05",
      },
    });
    const { idempotencyKey } = unknown.data;
    const { data } = await call("place_order", { ...restingOrder(), idempotencyKey });
    expect(data).toMatchObject({ status: "open", idempotencyKey });
    expect(await readOrders(owner)).toHaveLength(1);
  });
});

describe("a refused call changes nothing", () => {
  it.each([
    ["place_order", { price: 2 }, /price/],
    ["place_order", { price: "cheap" }, /price/],
    ["place_order", { mode: "live" }, /mode/],
    ["place_order", { shares: 1 }, /ORDER_TOO_SMALL/],
    ["place_order", { tokenId: "1" }, /MARKET_NOT_FOUND/],
    ["place_order", { shares: 0.001 }, /PRECISION_TOO_HIGH/],
    ["place_order", { timeInForce: "GTD" }, /expiresAt/],
    ["preview_order", { price: 0.015 }, /PRICE_OFF_TICK/],
  ])("%s with %j", async (name, change, reason) => {
    const { call } = await connect(user.apiKey);
    await expectUnchanged(async () => {
      const { isError, text } = await call(name, { ...restingOrder(), ...change });
      expect(isError, text).toBe(true);
      expect(text).toMatch(reason);
    });
  });

  it.each([
    ["cancel_order", { orderId: "ord_01KAJ2V7Q4M8X5T0C6R9WDZ3HE" }, /ORDER_NOT_FOUND/],
    ["cancel_order", { orderId: "open" }, /orderId/],
    ["cancel_all_orders", { everything: true }, /everything/],
    ["list_events", { types: ["order.eaten"] }, /VALIDATION_ERROR/],
    ["read_book", { marketId: "../orders" }, /MARKET_NOT_FOUND/],
    ["search_markets", { limit: 1_000 }, /limit/],
    ["get_balance", { apiKey: "x" }, /apiKey/],
    ["withdraw", {}, /withdraw/],
  ])("%s with %j", async (name, args, reason) => {
    const { call } = await connect(user.apiKey);
    await expectUnchanged(async () => {
      const { isError, text } = await call(name, args).catch((error: Error) => ({
        isError: true,
        text: error.message,
      }));
      expect(isError, text).toBe(true);
      expect(text).toMatch(reason);
    });
  });

  it.each([
    ["read", "place_order"],
    ["trade", "place_order"],
    ["read", "cancel_all_orders"],
    ["trade", "get_balance"],
  ] as const)("with a key that has only the scope %s: %s", async (scope, name) => {
    const { apiKey } = await makeUser(undefined, [scope]);
    const { call } = await connect(apiKey);
    await expectUnchanged(async () => {
      const { data } = await call(name, name === "place_order" ? restingOrder() : {});
      expect(data.error).toMatchObject({ code: "INSUFFICIENT_SCOPE" });
    });
  });

  it("of another user's order, like that of an unknown one", async () => {
    const { orderId } = await place(user.apiKey, restingOrder());
    const stranger = await makeUser();
    const { call } = await connect(stranger.apiKey);
    const before = await databaseState();
    expect((await call("cancel_order", { orderId })).data.error?.code).toBe("ORDER_NOT_FOUND");
    expect((await call("list_orders", { orderId })).data.error?.code).toBe("ORDER_NOT_FOUND");
    expect(await databaseState()).toEqual(before);
    expect((await readOrder(user.apiKey, orderId)).status).toBe("open");
  });
});
