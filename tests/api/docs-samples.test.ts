// The samples of the documentation are sent as they are shown, and do what is shown beside them.
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { fillMarket } from "@/app/docs/_lib/fill-market";
import { listOperations, type ReferenceOperation } from "@/app/docs/_lib/reference";
import type { OperationId } from "@/lib/api/operations";
import { SAMPLE_IDS } from "@/lib/api/operations/examples";
import { type ExampleMarket, findExampleMarket } from "@/lib/markets/find-example-market";
import { deliverDue } from "@/lib/webhooks/deliver";
import { callApi, requestApi } from "@/tests/support/api/call-api";
import { loadMarkets, orderFor, useExchange } from "@/tests/support/api/exchange";
import { insertWaitingTransaction } from "@/tests/support/api/waiting-transaction";
import { makeUser } from "@/tests/support/users";
import { allowPrivate, useReceiver } from "@/tests/support/webhooks/receiver";

allowPrivate();
const clock = useExchange();
const receiver = useReceiver();

const ORIGIN = "http://127.0.0.1:3000";
let market: ExampleMarket;
let operations: readonly ReferenceOperation[];

beforeAll(async () => {
  const found = await findExampleMarket();
  if (!found) throw new Error("no market fits the samples");
  market = found;
  operations = fillMarket(listOperations(), market);
});

function find(id: OperationId): ReferenceOperation {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`${id} is not documented`);
  return found;
}

const readCode = (id: OperationId, language: string) =>
  find(id).examples.find((example) => example.language === language)?.code ?? "";

interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: unknown;
}

/** Reads a curl command like a shell: options in quotes, lines that go on after a backslash. */
function readCurl(code: string): Sent {
  const words = code.replaceAll("\\\n", " ").match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  const sent: Sent = { method: "GET", url: "", headers: {}, body: undefined };
  const plain = words.map((word) => word.replaceAll(/^["']|["']$/g, ""));
  expect(plain.shift()).toBe("curl");
  for (let word = plain.shift(); word !== undefined; word = plain.shift()) {
    if (word === "-X") sent.method = plain.shift() ?? "";
    else if (word === "-H") {
      const [name = "", value = ""] = (plain.shift() ?? "").split(": ");
      sent.headers[name] = value.replace("$ANTE_API_KEY", "KEY");
    } else if (word === "-d") {
      sent.body = JSON.parse(plain.shift() ?? "");
      sent.method = sent.method === "GET" ? "POST" : sent.method;
    } else if (word !== "-N") sent.url = word;
  }
  return sent;
}

/** Runs a JavaScript sample with a `fetch` that returns the response. */
async function runJavaScript(code: string, response: Response) {
  const sent: Sent = { method: "GET", url: "", headers: {}, body: undefined };
  const fetch = async (url: string, options: Partial<Record<string, unknown>> = {}) => {
    Object.assign(sent, { method: "GET", headers: {}, ...options, url });
    if (typeof options["body"] === "string") sent.body = JSON.parse(options["body"]);
    return response;
  };
  const logged: unknown[] = [];
  const run = new Function(
    "fetch",
    "process",
    "console",
    `return (async () => {\n${code}\n})();`,
  ) as (...own: unknown[]) => Promise<void>;
  await run(fetch, { env: { ANTE_API_KEY: "KEY" } }, { log: (text: unknown) => logged.push(text) });
  return { sent, logged };
}

describe("the example market", () => {
  it("is one that this server lists, and the samples name its ids", async () => {
    const { apiKey: key } = await makeUser();
    const listed = await callApi("GET", `/v1/markets/${market.slug}`, { key });
    expect(listed.status).toBe(200);
    expect(listed.body.data).toMatchObject({ id: market.id, status: "open", tickSize: "0.01" });
    const shown = JSON.stringify(operations);
    expect(shown).toContain(market.outcomes[0].tokenId);
    for (const invented of [SAMPLE_IDS.marketId, SAMPLE_IDS.positionId, "frost-0001"]) {
      expect(shown).not.toContain(invented);
    }
  });

  it("has no gap in any sample", () => {
    expect(JSON.stringify(operations.map(({ exampleResponse }) => exampleResponse))).not.toContain(
      "…",
    );
  });
});

describe("a sample request", () => {
  /** Values of a response that say which kind it is, by their paths. */
  function listKinds(value: unknown, path = ""): string[] {
    if (Array.isArray(value))
      return value.slice(0, 1).flatMap((one) => listKinds(one, `${path}[]`));
    if (typeof value !== "object" || value === null) {
      // The newest deliveries are of whatever happened last.
      if (path.endsWith("deliveries[].type")) return [];
      const isKind = /\.(?:kind|type|status|action|side|slug|tokenId|marketId)$/;
      return isKind.test(path) ? [`${path}: ${String(value)}`] : [];
    }
    return Object.entries(value).flatMap(([name, part]) => listKinds(part, `${path}.${name}`));
  }

  it("of every operation returns what is shown beside it", async () => {
    const { apiKey: key, userId } = await makeUser();
    const { short } = await loadMarkets(key);
    const seen = new Set<OperationId>();
    /** Sends the sample with ids of this account, and compares the kinds of things in the response. */
    const send = async (id: OperationId, own: Record<string, string> = {}) => {
      const code = Object.entries(own).reduce(
        (text, [shown, real]) => text.replaceAll(shown, real),
        readCode(id, "curl"),
      );
      const { method, url, headers, body } = readCurl(code);
      const hasKey = headers["Authorization"] === "Bearer KEY";
      expect(hasKey, id).toBe(find(id).access !== "open");
      const answer = await callApi(method, url.replace(ORIGIN, ""), {
        ...(hasKey ? { key } : {}),
        ...(body === undefined ? {} : { body }),
      });
      expect(answer.status, `${id}: ${answer.text}`).toBe(200);
      const shown = listKinds(find(id).exampleResponse);
      if (shown.length > 0)
        expect(listKinds(answer.body), id).toEqual(expect.arrayContaining(shown));
      seen.add(id);
      return z.looseObject({}).parse(answer.body.data ?? answer.body);
    };

    await send("getHealth");
    await send("getOpenApi");
    await send("getAsyncApi");
    await send("listMarkets");
    await send("getMarket");
    await send("getBook");
    await send("getHistory");
    await send("getBalance");
    const preview = await send("previewOrder");
    expect(Number(preview["cost"])).toBeCloseTo(
      Number(preview["amount"]) + Number(preview["fee"]),
      6,
    );
    const placed = await send("placeOrder");
    expect(placed["message"]).toBe("Order filled: bought 100 shares.");
    const order = { [SAMPLE_IDS.orderId]: z.string().parse(placed["orderId"]) };
    await send("getOrder", order);
    await send("listOrders");
    await send("listFills");
    await send("listPositions");
    await send("listActivity");
    await send("splitPosition");
    const wallet = await send("listTransactions");
    const [transaction] = z.array(z.looseObject({ id: z.string() })).parse(wallet["transactions"]);
    const own = transaction?.id ?? "";
    await send("getTransaction", { [SAMPLE_IDS.transactionId]: own });
    const waiting = await insertWaitingTransaction(userId, own);
    await send("cancelTransaction", { [SAMPLE_IDS.transactionId]: waiting });
    await send("mergePositions");
    await send("getApprovals");
    await send("setApprovals");
    await send("listEvents");

    const [{ tokenId }] = market.outcomes;
    const body = { tokenId, action: "BUY", orderType: "limit", price: 0.01, shares: 100 };
    const place = async () => {
      const { data } = (await callApi("POST", "/v1/orders", { key, body })).body;
      return z.object({ orderId: z.string() }).parse(data).orderId;
    };
    await place();
    await send("listOpenOrders");
    await send("cancelOrder", { [SAMPLE_IDS.orderId]: await place() });
    await send("cancelOrders");

    const hook = await send("createWebhook", { "https://example.com/hooks/ante": receiver.url });
    const webhook = { [SAMPLE_IDS.webhookId]: z.string().parse(hook["id"]) };
    await send("listWebhooks");
    await send("getWebhook", webhook);
    await send("changeWebhook", webhook);
    await send("rotateWebhook", webhook);
    expect(await send("testWebhook", webhook)).toMatchObject({ acknowledged: true });
    expect(await send("replayEvents", webhook)).toMatchObject({ after: 0 });
    await deliverDue(60_000);
    const { deliveries } = await send("listDeliveries", webhook);
    const delivery = z
      .array(z.looseObject({ id: z.string(), type: z.string() }))
      .parse(deliveries)
      .find(({ type }) => type === "order.filled");
    await send("resendDelivery", { ...webhook, [SAMPLE_IDS.deliveryId]: delivery?.id ?? "" });
    await send("deleteWebhook", webhook);

    await send("getKey");
    await send("lowerLimits");
    await callApi("POST", "/v1/orders", {
      key,
      body: orderFor(short, { orderType: "market", amount: 5 }),
    });
    clock.advance(short.closesAt.getTime() + 3_600_000 - clock.now());
    await send("redeemPosition", { [market.outcomes[0].tokenId]: short.outcomes[0].tokenId });
    await send("freezeKey");
    expect([...seen, "streamEvents"].toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
  });

  it.each(listOperations().map(({ id }) => id))("of %s is the same in JavaScript", async (id) => {
    const response =
      id === "streamEvents"
        ? new Response(z.string().parse(find(id).exampleResponse))
        : Response.json(find(id).exampleResponse);
    const { sent, logged } = await runJavaScript(readCode(id, "JavaScript"), response);
    expect(sent).toEqual(readCurl(readCode(id, "curl")));
    expect(logged).toHaveLength(id === "streamEvents" ? 1 : 0);
  });
});

describe("the sample of the event stream", () => {
  it("reads each event as it comes, over pieces that end anywhere", async () => {
    const { apiKey: key } = await makeUser();
    const { url } = readCurl(readCode("streamEvents", "curl"));
    const stream = await requestApi("GET", url.replace(ORIGIN, ""), { key });
    expect(stream.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    await stream.body?.cancel();
    const shown = z.string().parse(find("streamEvents").exampleResponse);
    const pieces = [": 41\n\n", shown.slice(0, 50), shown.slice(50), shown];
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    });
    const code = readCode("streamEvents", "JavaScript");
    const { logged } = await runJavaScript(code, new Response(body));
    expect(logged).toMatchObject([{ type: "deposit.created" }, { type: "deposit.created" }]);
    expect(code).not.toContain("response.json()");
  });

  it("never waits for the end of the response in curl and Python", () => {
    expect(readCode("streamEvents", "curl")).toContain("curl -N ");
    const python = readCode("streamEvents", "Python");
    expect(python).toContain("stream=True");
    expect(python).toContain("response.iter_lines(");
    expect(python).not.toContain(".json()");
  });
});
