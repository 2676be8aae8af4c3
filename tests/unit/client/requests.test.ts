import { inspect } from "node:util";
import { Ante, NoResponseError, UnavailableError } from "@ante/client";
import { describe, expect, it } from "vitest";
import { failure, scriptService, success } from "@/tests/support/client/scripted-service";

const CUT = new TypeError("fetch failed");
const page = (ids: string[], nextCursor: string | null) =>
  success({ orders: ids.map((id) => ({ id })), nextCursor });

describe("the API key", () => {
  const secret = "s".repeat(38);
  const options = { baseUrl: "http://ante.test", apiKey: `ante_paper_JTBnexNs${secret}` };
  const print = (value: unknown) => inspect(value, { depth: null, showHidden: true });

  it("is in no printed client", () => {
    const ante = new Ante(options);
    expect(print(ante) + JSON.stringify(ante)).not.toContain(secret);
  });

  it.each([
    ["a refusal", failure(401, "INVALID_API_KEY")],
    ["a lost response", CUT],
    ["a page of a proxy", new Response("<html>", { status: 503 })],
  ])("is in no error of %s, with its causes", async (_, answer) => {
    const answerAll = async () => {
      if (answer instanceof Error) throw answer;
      return answer.clone();
    };
    const ante = new Ante({ ...options, fetch: answerAll, deadlineMs: 50, firstPauseMs: 1 });
    const order = { tokenId: "1", action: "BUY", orderType: "market", amount: "5" } as const;
    const calls = [
      () => ante.account.balance(),
      () => ante.orders.place(order),
      () => ante.key.freeze(),
    ];
    for (const call of calls) {
      const error = await call().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect(print(error)).not.toContain(secret);
    }
  });
});

describe("reads", () => {
  it("are repeated until there is a response", async () => {
    const { ante, sent } = scriptService([
      CUT,
      failure(502, "DATABASE_UNAVAILABLE"),
      new Response("<html>", { status: 503 }),
      success({ balanceUsdc: 10.5 }),
    ]);
    await expect(ante.account.balance()).resolves.toEqual({ balanceUsdc: "10.5" });
    expect(sent.length).toBe(4);
  });

  it("throw the last failure when the deadline passes", async () => {
    const options = { deadlineMs: 2_000, firstPauseMs: 5_000 };
    const down = scriptService([failure(502, "UPSTREAM_TIMEOUT")], options);
    await expect(down.ante.positions.list()).rejects.toBeInstanceOf(UnavailableError);
    const cut = scriptService([CUT], options);
    await expect(cut.ante.positions.list()).rejects.toBeInstanceOf(NoResponseError);
  });

  it("end an attempt that takes too long, and repeat it", async () => {
    const hang = ({ signal }: Request) =>
      new Promise<Response>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      });
    const healthy = success({ service: "ante", status: "ok" });
    const { ante, sent } = scriptService([hang, healthy], { attemptTimeoutMs: 10 });
    await expect(ante.health()).resolves.toEqual({ service: "ante", status: "ok" });
    expect(sent.length).toBe(2);
  });
});

describe("lists", () => {
  it("yield every item of every page", async () => {
    const { ante, sent } = scriptService([page(["a", "b"], "next"), page(["c"], null)]);
    const ids: string[] = [];
    for await (const { id } of ante.orders.list({ status: "filled", limit: 2 })) ids.push(id);
    expect(ids).toEqual(["a", "b", "c"]);
    expect(sent.map(({ path }) => path)).toEqual([
      "/v1/orders?status=filled&limit=2",
      "/v1/orders?status=filled&limit=2&nextCursor=next",
    ]);
  });

  it("return one page on request, with its cursor", async () => {
    const { ante } = scriptService([page(["a"], "next")]);
    await expect(ante.orders.list().page()).resolves.toMatchObject({ nextCursor: "next" });
  });
});

describe("writes without a key", () => {
  it("are not repeated if they would have another effect", async () => {
    const { ante, sent } = scriptService([CUT]);
    await expect(ante.webhooks.create({ url: "https://x.test/" })).rejects.toMatchObject({
      code: "NO_RESPONSE",
    });
    expect(sent.length).toBe(1);
  });

  it("are repeated if they have the same effect", async () => {
    const { ante, sent } = scriptService([CUT, success({ id: "ord_1", status: "canceled" })]);
    await expect(ante.orders.cancel("ord_1")).resolves.toMatchObject({ status: "canceled" });
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "DELETE /v1/orders/ord_1",
      "DELETE /v1/orders/ord_1",
    ]);
  });
});

describe("addresses", () => {
  it("escape ids, and refuse those that would make another path", async () => {
    const { ante, sent } = scriptService([success({})]);
    await ante.orders.get("../key?x#y");
    expect(sent.map(({ path }) => path)).toEqual(["/v1/orders/..%2Fkey%3Fx%23y"]);
    for (const id of ["", ".", ".."])
      expect(() => ante.orders.cancel(id)).toThrow("orderId must be");
  });
});

it("the client's mode is that of its key", () => {
  expect(scriptService([]).ante.mode).toBe("paper");
  expect(scriptService([], { apiKey: `ante_live_JTBnexNs${"a".repeat(38)}` }).ante.mode).toBe(
    "live",
  );
  expect(() => scriptService([], { apiKey: "secret" })).toThrow(TypeError);
});
