import { beforeAll, describe, expect, it } from "vitest";
import { ERROR_STATUS } from "@/lib/errors";
import type { Operation as KnownOperation } from "@/lib/api/operations/operation";
import { type OperationId, OPERATIONS } from "@/lib/api/operations";
import { type ApiAnswer, type ApiRequest, callApi } from "@/tests/support/api/call-api";
import { loadMarkets, orderFor, type TestMarkets, useExchange } from "@/tests/support/api/exchange";
import { checkSchema, resolve } from "@/tests/support/api/json-schema";
import { isApiHandler, loadRouteFiles } from "@/tests/support/api/routes";
import { insertWaitingTransaction } from "@/tests/support/api/waiting-transaction";
import { makeUser, type TestUser } from "@/tests/support/users";
import { deliverDue } from "@/lib/webhooks/deliver";
import { allowPrivate, useReceiver } from "@/tests/support/webhooks/receiver";

allowPrivate();
const clock = useExchange();
const receiver = useReceiver();

type Json = Record<string, unknown>;

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Json;
}

interface Operation {
  operationId: string;
  summary: string;
  security: unknown[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
  responses: Record<
    string,
    { description: string; headers: Json; content: Record<string, { schema: Json }> }
  >;
}

interface Document extends Json {
  paths: Record<string, Record<string, Operation>>;
}

let user: TestUser;
let markets: TestMarkets;
let document: Document;

beforeAll(async () => {
  user = await makeUser();
  markets = await loadMarkets(user.apiKey);
  document = (await callApi("GET", "/v1/openapi.json")).body as unknown as Document;
});

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
const METHODS = ["get", "post", "delete", "put", "patch"];
const operations = () =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
const routes = Object.entries<KnownOperation>(OPERATIONS).map(([id, spec]) => ({ id, ...spec }));

function findOperation(id: OperationId): Operation {
  const found = operations().find(({ operation }) => operation.operationId === id);
  if (!found) throw new Error(`${id} is not documented`);
  return found.operation;
}

/** Codes of requests that reach no operation. */
const OUTSIDE_OPERATIONS = ["ROUTE_NOT_FOUND", "SECOND_FACTOR_REQUIRED", "SESSION_ENDED"];

/** Headers that OpenAPI describes elsewhere, or that every HTTP response has. */
const NOT_DOCUMENTED = new Set(["content-type", "content-length", "date", "connection"]);

/** Returns the document with closed schemas, so that undocumented properties are detected. */
function closed(of: Document): Document {
  const text = JSON.stringify(of, (_key, value: unknown) =>
    typeof value === "object" && value !== null && "properties" in value
      ? { additionalProperties: false, ...value }
      : value,
  );
  return JSON.parse(text) as Document;
}

/** Lists the first differences between a response and the document. */
function complaintsAbout(id: OperationId, answer: ApiAnswer): string[] {
  const response = findOperation(id).responses[answer.status];
  if (!response) return [`${answer.status} is not documented`];
  const schema = response.content["application/json"]?.schema ?? {};
  const known = Object.keys(response.headers).map((name) => name.toLowerCase());
  const headers = [...answer.headers.keys()]
    .filter((name) => !known.includes(name) && !NOT_DOCUMENTED.has(name))
    .map((name) => `header ${name} is not documented`);
  const body = JSON.parse(answer.text) as unknown;
  if ("isDocument" in OPERATIONS[id]) return headers;
  return [...headers, ...checkSchema(closed(document), closed(schema as Document), body)].slice(
    0,
    10,
  );
}

describe("200: the document", () => {
  it("is public and has no envelope, so that tools can read it", async () => {
    const answer = await callApi("GET", "/v1/openapi.json");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(document["openapi"]).toBe("3.1.0");
  });

  it("is OpenAPI 3.1 with the version of the API", () => {
    expect(document["info"]).toMatchObject({
      title: expect.any(String) as string,
      version: "1.0.0",
    });
    expect(Object.keys(document).toSorted()).toEqual([
      "components",
      "info",
      "openapi",
      "paths",
      "servers",
      "tags",
      "webhooks",
    ]);
    expect(document["info"]).toMatchObject({
      contact: { name: "Ante", url: "http://127.0.0.1:3000/docs" },
      license: { name: "MIT" },
    });
    expect(document["servers"]).toMatchObject([{ url: "http://127.0.0.1:3000" }]);
    for (const [path, item] of Object.entries(document.paths)) {
      expect(path).toMatch(/^\//);
      expect(METHODS).toEqual(expect.arrayContaining(Object.keys(item)));
    }
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const components = document["components"] as Record<string, Json>;
    expect(components["securitySchemes"]).toMatchObject({
      bearer: { type: "http", scheme: "bearer" },
    });
  });

  it("has every route and no other", () => {
    const documented = operations().map(({ path, method, operation }) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
    }));
    const expected = routes.map(({ id, method, path }) => ({ id, method, path }));
    expect(documented.toSorted(byId)).toEqual(expected.toSorted(byId));
  });

  it("every route file exports the operation of its own path and method, and every route has one", async () => {
    const exported = new Set<string>();
    for (const { path, module } of await loadRouteFiles()) {
      for (const [method, handler] of Object.entries(module)) {
        if (!isApiHandler(handler)) continue;
        const spec = routes.find(({ id }) => id === handler.operationId);
        expect(spec?.method).toBe(method === "HEAD" ? "GET" : method);
        // A literal segment can match a parameter, as an id.
        const template = spec?.path.split("/") ?? [];
        const own = path.split("/");
        expect(own).toHaveLength(template.length);
        template.forEach((part, index) => {
          if (!part.startsWith("{")) expect(own[index]).toBe(part);
        });
        if (path === spec?.path) exported.add(handler.operationId);
      }
    }
    expect([...exported].toSorted()).toEqual(routes.map(({ id }) => id).toSorted());
  });

  it("every reference resolves, and every named schema is used", () => {
    const text = JSON.stringify(document);
    const used = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? ""));
    for (const reference of used) expect(resolve(document, reference)).toBeTypeOf("object");
    const { schemas, headers } = document["components"] as { schemas: Json; headers: Json };
    const names = [
      ...Object.keys(schemas).map((name) => `#/components/schemas/${name}`),
      ...Object.keys(headers).map((name) => `#/components/headers/${name}`),
    ];
    expect(names.toSorted()).toEqual([...used].toSorted());
  });

  it("path parameters match the path, and are required and not empty", () => {
    for (const { path, operation } of operations()) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const documented = operation.parameters.filter((parameter) => parameter.in === "path");
      expect(documented.map((parameter) => parameter.name)).toEqual(named);
      for (const parameter of documented) {
        expect(parameter.required).toBe(true);
        expect(parameter.schema).toMatchObject({ type: "string", minLength: 1 });
      }
    }
  });

  it("every operation except the open ones requires the bearer key", () => {
    for (const { id, access } of routes) {
      const security = access === "open" ? [] : [{ bearer: [] }];
      expect(findOperation(id as OperationId).security).toEqual(security);
    }
  });

  it("every operation lists the API's statuses, 405, and 429 if keys are limited", () => {
    for (const { operation } of operations()) {
      const statuses = Object.keys(operation.responses);
      const counted = operation.security.length > 0 ? ["429"] : [];
      expect(statuses.toSorted()).toEqual(["200", "400", "401", "404", "405", ...counted, "502"]);
      for (const [status, { content }] of Object.entries(operation.responses)) {
        if (status === "200") continue;
        expect(content["application/json"]?.schema).toEqual({
          $ref: "#/components/schemas/Failure",
        });
      }
    }
  });

  it("every code is documented at its own status, and by at least one operation", () => {
    const documented = new Set<string>();
    for (const { operation } of operations()) {
      for (const [status, { description }] of Object.entries(operation.responses)) {
        if (status === "200" || !description.includes(": ")) continue;
        const [, list = ""] = description.split(": ");
        if (list === "this operation does not return it.") continue;
        for (const code of list.split(", ")) {
          expect(ERROR_STATUS, code).toHaveProperty(code, Number(status));
          documented.add(code);
        }
      }
    }
    const outside = Object.keys(ERROR_STATUS).filter((code) => !documented.has(code));
    expect(outside.toSorted()).toEqual(OUTSIDE_OPERATIONS);
  });

  it("describes every parameter, every field and every response header", () => {
    const missing: string[] = [];
    const visit = (schema: Json, at: string) => {
      for (const [name, property] of Object.entries((schema["properties"] ?? {}) as Json)) {
        const field = property as Json;
        if (!("description" in field) && !("$ref" in field)) missing.push(`${at}.${name}`);
        visit(field, `${at}.${name}`);
      }
      for (const part of [schema["items"], ...((schema["anyOf"] ?? []) as Json[])])
        if (part) visit(part as Json, at);
    };
    const { schemas, headers } = document["components"] as Record<string, Record<string, Json>>;
    for (const [name, schema] of Object.entries(schemas ?? {})) visit(schema, name);
    for (const [name, header] of Object.entries(headers ?? {}))
      if (!header["description"]) missing.push(name);
    for (const { operation } of operations())
      for (const parameter of operation.parameters)
        if (!parameter.description) missing.push(`${operation.operationId} ${parameter.name}`);
    expect(missing).toEqual([]);
  });

  it("every schema allows additional properties", () => {
    expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
  });

  it("documents the request body of POST /v1/orders", () => {
    const schema = findOperation("placeOrder").requestBody?.content["application/json"]?.schema;
    const { properties, required } = resolve(document, String(schema?.["$ref"]));
    expect(required).toEqual(["tokenId", "action", "orderType"]);
    expect(properties).toMatchObject({
      tokenId: { type: "string", minLength: 1 },
      action: { enum: ["BUY", "SELL"] },
      orderType: { enum: ["market", "limit"] },
      amount: { type: "number", exclusiveMinimum: 0 },
      shares: { type: "number", exclusiveMinimum: 0 },
      price: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
      tickSize: { type: "string", minLength: 1 },
      idempotencyKey: { type: "string", minLength: 1, maxLength: 128 },
    });
  });

  it("documents the query of GET /v1/orders/open", () => {
    const query = findOperation("listOpenOrders").parameters;
    expect(query.map(({ name, in: place, required }) => ({ name, place, required }))).toEqual(
      ["id", "market", "assetId", "onlyFirstPage", "nextCursor"].map((name) => ({
        name,
        place: "query",
        required: false,
      })),
    );
    expect(query.find(({ name }) => name === "onlyFirstPage")?.schema).toMatchObject({
      enum: ["true", "false"],
    });
  });
});

describe("200: the responses", () => {
  it("of every operation match the document", async () => {
    const { free, taxed, short, bidless } = markets;
    const { apiKey: key } = user;
    const seen = new Set<OperationId>();
    const ask = async (id: OperationId, path: string, request: ApiRequest = {}) => {
      const answer = await callApi(OPERATIONS[id].method, path, { key, ...request });
      expect(answer.status, answer.text).toBe(200);
      expect(complaintsAbout(id, answer)).toEqual([]);
      seen.add(id);
      return JSON.parse(answer.text) as { data: Record<string, never> };
    };
    for (const body of [
      orderFor(taxed, { orderType: "market", amount: 5 }),
      orderFor(short, { orderType: "market", amount: 5 }),
      orderFor(short, { orderType: "market", amount: 5, tokenId: short.outcomes[1].tokenId }),
      orderFor(free),
      orderFor(free),
    ]) {
      await ask("previewOrder", "/v1/orders/preview", { body });
      await ask("placeOrder", "/v1/orders", { body });
    }
    const refused = orderFor(bidless, { orderType: "market", action: "SELL", shares: 5 });
    await callApi("POST", "/v1/orders", { key, body: refused });
    const { data } = await ask("listOrders", "/v1/orders");
    const orders = data["orders"] as unknown as { id: string; status: string }[];
    for (const { id } of orders) await ask("getOrder", `/v1/orders/${id}`);
    await ask("listOpenOrders", "/v1/orders/open");
    const open = orders.find((order) => order.status === "open");
    await ask("cancelOrder", `/v1/orders/${open?.id}`);
    await ask("cancelOrders", "/v1/orders");
    await ask("getHealth", "/health");
    await ask("getOpenApi", "/v1/openapi.json");
    await ask("getAsyncApi", "/v1/asyncapi.json");
    await ask("getBalance", "/v1/account/balance");
    await ask("listPositions", "/v1/positions");
    await ask("listFills", "/v1/fills");
    await ask("listActivity", "/v1/activity");
    await ask("getKey", "/v1/key");
    await ask("listMarkets", "/v1/markets?limit=1000");
    await ask("listMarkets", "/v1/markets?status=resolved&limit=1000");
    await ask("getMarket", `/v1/markets/${free.slug}`);
    await ask("getBook", `/v1/markets/${free.id}/book`);
    await ask("getHistory", `/v1/markets/${free.id}/history`);
    const pairs = { body: { marketId: free.id, shares: 2 } };
    const { data: split } = await ask("splitPosition", "/v1/positions/split", pairs);
    await ask("mergePositions", "/v1/positions/merge", pairs);
    // A limit of buys refuses splits.
    await ask("lowerLimits", "/v1/key", { body: { limits: { perDay: "900" } } });
    await ask("listTransactions", "/v1/wallet/transactions");
    const splitId = split["id"] as unknown as string;
    await ask("getTransaction", `/v1/wallet/transactions/${splitId}`);
    await ask(
      "cancelTransaction",
      `/v1/wallet/transactions/${await insertWaitingTransaction(user.userId, splitId)}`,
    );
    await ask("getApprovals", "/v1/wallet/approvals");
    await ask("setApprovals", "/v1/wallet/approvals");
    clock.advance(short.closesAt.getTime() + 3_600_000 - clock.now());
    await ask("listPositions", "/v1/positions");
    await ask("redeemPosition", `/v1/positions/${short.outcomes[0].tokenId}/redeem`);
    await ask("listActivity", "/v1/activity");
    await ask("listEvents", "/v1/events?limit=1000");
    await ask("createWebhook", "/v1/webhooks", { body: { url: receiver.url } });
    const { data: list } = await ask("listWebhooks", "/v1/webhooks");
    const [webhook] = list["webhooks"] as unknown as { id: string }[];
    const hook = `/v1/webhooks/${webhook?.id}`;
    await ask("getWebhook", hook);
    await ask("changeWebhook", hook, { body: { ordered: false } });
    await ask("rotateWebhook", `${hook}/rotate`);
    await ask("testWebhook", `${hook}/test`);
    await ask("replayEvents", `${hook}/replay`);
    await deliverDue(60_000);
    const { data: sent } = await ask("listDeliveries", `${hook}/deliveries`);
    const [delivery] = sent["deliveries"] as unknown as { id: string }[];
    await ask("resendDelivery", `${hook}/deliveries/${delivery?.id}/resend`);
    await ask("deleteWebhook", hook);
    const stream = await callApi("GET", "/v1/events/stream", { key });
    const { content = {} } = findOperation("streamEvents").responses["200"] ?? {};
    expect(stream.headers.get("content-type")).toBe(`${Object.keys(content)[0]}; charset=utf-8`);
    seen.add("streamEvents");
    const frozen = { key: (await makeUser()).apiKey };
    await ask("freezeKey", "/v1/freeze", frozen);
    await ask("getKey", "/v1/key", frozen);
    expect([...seen].toSorted()).toEqual(routes.map(({ id }) => id).toSorted());
  });

  it("a value outside the documented range is detected", () => {
    const headers = new Headers();
    const answer = { status: 200, headers, text: '{"ok":true,"data":{"service":1}}' } as ApiAnswer;
    expect(complaintsAbout("getHealth", answer)).toEqual([
      "$.data: lacks status",
      "$.data.service: is number, not string",
    ]);
  });
});

describe("400, 401, 404", () => {
  it.each<[OperationId, string, ApiRequest]>([
    ["placeOrder", "/v1/orders", { body: {} }],
    ["placeOrder", "/v1/orders", { body: "{" }],
    ["listOpenOrders", "/v1/orders/open?onlyFirstPage=x", {}],
    ["listOrders", "/v1/orders?nextCursor=x", {}],
    ["getOrder", "/v1/orders/x", {}],
    ["cancelOrder", "/v1/orders/x", {}],
    ["getMarket", "/v1/markets/x", {}],
    ["redeemPosition", "/v1/positions/1/redeem", {}],
    ["getBalance", "/v1/account/balance", { headers: { authorization: "Bearer x" } }],
  ])("an error of %s is documented with its code: %s", async (id, path, request) => {
    const answer = await callApi(OPERATIONS[id].method, path, { key: user.apiKey, ...request });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(complaintsAbout(id, answer)).toEqual([]);
    const { description } = findOperation(id).responses[answer.status] ?? { description: "" };
    expect(description).toContain(answer.body.error?.code);
  });
});
