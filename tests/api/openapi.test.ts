import { beforeAll, describe, expect, it } from "vitest";
import { ERROR_STATUS } from "@/lib/errors";
import { type OperationId, ROUTES, type RouteSpec } from "@/lib/http/routes";
import { type ApiAnswer, type ApiRequest, callApi } from "@/tests/support/api";
import { loadMarkets, orderFor, type TestMarkets, useExchange } from "@/tests/support/api-exchange";
import { checkSchema, resolve } from "@/tests/support/api-json-schema";
import { isApiHandler, loadRouteFiles } from "@/tests/support/api-routes";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

type Json = Record<string, unknown>;

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Json;
}

interface Operation {
  operationId: string;
  summary: string;
  security: unknown[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, { description: string; content: Record<string, { schema: Json }> }>;
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
const routes = Object.entries<RouteSpec>(ROUTES).map(([id, spec]) => ({ id, ...spec }));

function operationOf(id: OperationId): Operation {
  const found = operations().find(({ operation }) => operation.operationId === id);
  if (!found) throw new Error(`${id} is not documented`);
  return found.operation;
}

/** What the document has against an answer of an operation, as far as it fits a screen. */
function complaintsAbout(id: OperationId, answer: ApiAnswer): string[] {
  const response = operationOf(id).responses[answer.status];
  if (!response) return [`${answer.status} is not documented`];
  const schema = response.content["application/json"]?.schema ?? {};
  return checkSchema(document, schema, JSON.parse(answer.text)).slice(0, 10);
}

describe("200: the document", () => {
  it("comes as it is, without a key, so that tools can read it", async () => {
    const answer = await callApi("GET", "/v1/openapi.json");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(document["openapi"]).toBe("3.1.0");
  });

  it("has the shape of OpenAPI 3.1, and the version of the interface", () => {
    expect(document["info"]).toMatchObject({
      title: expect.any(String) as string,
      version: "1.0.0",
    });
    expect(Object.keys(document).toSorted()).toEqual(["components", "info", "openapi", "paths"]);
    for (const [path, item] of Object.entries(document.paths)) {
      expect(path).toMatch(/^\//);
      expect(METHODS).toEqual(expect.arrayContaining(Object.keys(item)));
    }
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const components = document["components"] as Record<string, Json>;
    expect(components["securitySchemes"]).toEqual({ bearer: { type: "http", scheme: "bearer" } });
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
        expect(spec?.method).toBe(method);
        // A literal segment may stand where the table has a parameter: it is an id like any other.
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

  it("every reference leads somewhere, and every named schema is used", () => {
    const text = JSON.stringify(document);
    const used = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? ""));
    for (const reference of used) expect(resolve(document, reference)).toBeTypeOf("object");
    const { schemas } = document["components"] as { schemas: Json };
    const names = Object.keys(schemas).map((name) => `#/components/schemas/${name}`);
    expect(names.toSorted()).toEqual([...used].toSorted());
  });

  it("path parameters are those of the path, required and not empty", () => {
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

  it("every operation but the open ones asks for the bearer key", () => {
    for (const { id, access } of routes) {
      const security = access === "open" ? [] : [{ bearer: [] }];
      expect(operationOf(id as OperationId).security).toEqual(security);
    }
  });

  it("every operation lists 200, 400, 401, 404, 502 and 429, each with its envelope", () => {
    for (const { operation } of operations()) {
      const statuses = Object.keys(operation.responses);
      expect(statuses.toSorted()).toEqual(["200", "400", "401", "404", "429", "502"]);
      for (const [status, { content }] of Object.entries(operation.responses)) {
        if (status === "200") continue;
        expect(content["application/json"]?.schema).toEqual({
          $ref: "#/components/schemas/Failure",
        });
      }
    }
  });

  it("every code that is documented at a status is one of its codes, and none is missing", () => {
    for (const status of ["400", "401", "404", "429", "502"]) {
      const { description } = operationOf("placeOrder").responses[status] ?? { description: "" };
      const codes = description.split(": ")[1]?.split(", ") ?? [];
      const expected = Object.entries(ERROR_STATUS).filter(([, of]) => of === Number(status));
      expect(codes.toSorted()).toEqual(expected.map(([code]) => code).toSorted());
    }
  });

  it("documents the request body of POST /v1/orders as the interface has it", () => {
    const schema = operationOf("placeOrder").requestBody?.content["application/json"]?.schema;
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

  it("documents the query of GET /v1/orders/open as the interface has it", () => {
    const query = operationOf("listOpenOrders").parameters;
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

describe("200: the answers", () => {
  it("of every operation are what the document says", async () => {
    const { free, taxed, short, bidless } = markets;
    const { apiKey: key } = user;
    const seen = new Set<OperationId>();
    const ask = async (id: OperationId, path: string, request: ApiRequest = {}) => {
      const answer = await callApi(ROUTES[id].method, path, { key, ...request });
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
    clock.advance(short.closesAt.getTime() + 3_600_000 - clock.now());
    await ask("listPositions", "/v1/positions");
    await ask("redeemPosition", `/v1/positions/${short.outcomes[0].tokenId}/redeem`);
    await ask("listActivity", "/v1/activity");
    expect([...seen].toSorted()).toEqual(routes.map(({ id }) => id).toSorted());
  });

  it("a value outside the documented range would be noticed", () => {
    const answer = { status: 200, text: '{"ok":true,"data":{"service":1}}' } as ApiAnswer;
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
  ])("a refusal of %s is documented with its code: %s", async (id, path, request) => {
    const answer = await callApi(ROUTES[id].method, path, { key: user.apiKey, ...request });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(complaintsAbout(id, answer)).toEqual([]);
    const { description } = operationOf(id).responses[answer.status] ?? { description: "" };
    expect(description).toContain(answer.body.error?.code);
  });
});
