import { describe, expect, it } from "vitest";
import { findOperation, listMethods } from "@/lib/api/gate/find-operation";
import { OPERATIONS } from "@/lib/api/operations";

const EXAMPLES = Object.entries(OPERATIONS).map(([id, route]) => ({ id, ...route }));

/** The endpoints of interface.md 4, which must exist exactly so. */
const INTERFACE = [
  ["GET", "/health", "open"],
  ["GET", "/v1/account/balance", "read"],
  ["GET", "/v1/positions", "read"],
  ["POST", "/v1/orders", "trade"],
  ["GET", "/v1/orders/open", "read"],
  ["GET", "/v1/orders/{orderId}", "read"],
  ["DELETE", "/v1/orders/{orderId}", "cancel"],
] as const;

describe("the table", () => {
  it.each(INTERFACE)("has %s %s of the interface, for %s", (method, path, access) => {
    const routes = EXAMPLES.filter((route) => route.method === method && route.path === path);
    expect(routes.map((route) => route.access)).toEqual([access]);
  });

  it("has no method and path twice", () => {
    const names = EXAMPLES.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it("opens nothing to all but what tells nobody's data", () => {
    const open = EXAMPLES.filter(({ access }) => access === "open").map(({ path }) => path);
    expect(open).toEqual(["/health", "/v1/openapi.json", "/v1/asyncapi.json"]);
  });

  it("lets no key that may only read place, cancel or claim", () => {
    const writes = EXAMPLES.filter(({ rate }) => rate === "write");
    expect(writes.map(({ id, access }) => [id, access])).toEqual([
      ["redeemPosition", "trade"],
      ["splitPosition", "trade"],
      ["mergePositions", "trade"],
      ["setApprovals", "trade"],
      ["cancelTransaction", "cancel"],
      // A key with any scope may limit and freeze itself.
      ["lowerLimits", "key"],
      ["freezeKey", "key"],
      ["placeOrder", "trade"],
      ["cancelOrder", "cancel"],
      ["cancelOrders", "cancel"],
      ["createWebhook", "webhooks"],
      ["changeWebhook", "webhooks"],
      ["deleteWebhook", "webhooks"],
      ["rotateWebhook", "webhooks"],
      ["testWebhook", "webhooks"],
      ["resendDelivery", "webhooks"],
      ["replayEvents", "webhooks"],
    ]);
    const changing = EXAMPLES.filter(({ method, id }) => method !== "GET" && id !== "previewOrder");
    expect(changing.map(({ id }) => id)).toEqual(writes.map(({ id }) => id));
  });
});

describe("findOperation", () => {
  it.each(EXAMPLES)("finds $id by $method $path", ({ id, method, path }) => {
    const example = path.replaceAll(/\{(\w+)\}/g, "of-$1");
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const found = findOperation(method, example);
    expect(found?.id).toBe(id);
    expect(listMethods(example)).toContain(method);
    const params = Object.fromEntries(names.map((name) => [name, `of-${name}`]));
    expect(found?.params).toEqual(params);
  });

  it("a literal goes before a parameter, method by method", () => {
    expect(findOperation("GET", "/v1/orders/open")?.id).toBe("listOpenOrders");
    expect(findOperation("POST", "/v1/orders/preview")?.id).toBe("previewOrder");
    expect(findOperation("DELETE", "/v1/orders/open")).toMatchObject({
      id: "cancelOrder",
      params: { orderId: "open" },
    });
    expect(findOperation("GET", "/v1/orders/preview")).toMatchObject({
      id: "getOrder",
      params: { orderId: "preview" },
    });
  });

  it("says which methods a path has when it lacks the one asked for", () => {
    expect(findOperation("PUT", "/v1/orders")).toBeNull();
    expect(listMethods("/v1/orders")).toEqual(["POST", "GET", "HEAD", "DELETE", "OPTIONS"]);
    expect(findOperation("POST", "/v1/orders/open")).toBeNull();
    expect(listMethods("/v1/orders/open")).toEqual(["GET", "HEAD", "DELETE", "OPTIONS"]);
    expect(findOperation("get", "/health")).toBeNull();
  });

  it.each([
    "",
    "/",
    "/v1",
    "/v1/",
    "/v1/orders/",
    "/v1/orders//",
    "/v1//orders",
    "/v1/orders/a/b",
    "/V1/orders",
    "/v1/Orders",
    "/v1/positions//redeem",
    "/v1/positions/redeem/",
    "/v1/constructor",
    "/__proto__",
  ])("%j is no path", (path) => {
    expect(findOperation("GET", path)).toBeNull();
    expect(listMethods(path)).toEqual([]);
  });

  it.each([
    ["a%2Fb", "a/b"],
    ["%F0%9F%98%80", "\u{1f600}"],
    ["a+b", "a+b"],
    ["%2E%2E", ".."],
    ["%00", "\0"],
    ["{orderId}", "{orderId}"],
  ])("a parameter %j is read as %j and stays one segment", (segment, value) => {
    const found = findOperation("GET", `/v1/orders/${segment}`);
    expect(found).toMatchObject({ id: "getOrder", params: { orderId: value } });
  });
});
