import { beforeAll, describe, expect, it } from "vitest";
import { gate } from "@/lib/http/gate";
import { ROUTES, type RouteSpec } from "@/lib/http/routes";
import { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/app/api/[...rest]/route";
import { callApi } from "@/tests/support/api";
import { errorOf } from "@/tests/support/api-client";
import { useExchange } from "@/tests/support/api-exchange";
import { toAnswer } from "@/tests/support/api-routes";
import { expectError, expectRefusal, expectUnchanged } from "@/tests/support/api-state";
import { makeUser } from "@/tests/support/users";

useExchange();

let key: string;

beforeAll(async () => {
  ({ apiKey: key } = await makeUser());
});

const CATCH_ALL = { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS };
const METHODS = Object.keys(CATCH_ALL);

/** The methods that each path of the interface defines. */
const DEFINED = new Map<string, string[]>();
for (const { path, method } of Object.values<RouteSpec>(ROUTES)) {
  DEFINED.set(path, [...(DEFINED.get(path) ?? []), method]);
}
/** What a parameter of another path makes of these: to DELETE, "open" is an id like any other. */
const ALSO: Record<string, string[]> = {
  "/v1/orders/open": ["DELETE"],
  "/v1/orders/preview": ["GET", "DELETE"],
};
const allowedOn = (path: string) => [...(DEFINED.get(path) ?? []), ...(ALSO[path] ?? [])];

const UNKNOWN = [
  "/v1",
  "/v1/",
  "/v1/order",
  "/v1/ordersx",
  "/v1/orders/",
  "/v1/orders/open/",
  "/v1/orders/a/b",
  "/v1/orders//",
  "/v1//orders",
  "/v1/account",
  "/v1/account/balance/",
  "/v1/account/balance/x",
  "/v1/positions/",
  "/v1/positions/1",
  "/v1/positions/1/redeem/",
  "/v1/markets/",
  "/v1/markets/x/y",
  "/v1/openapi",
  "/v1/openapi.json/",
  "/v1/%6frders",
  "/v1/orders%2Fopen",
  "/v1%2Forders",
  "/%761/orders",
  "/v1/orders;x=1",
  "/v1/Orders",
  "/V1/orders",
  "/V1/ORDERS",
  "//v1/orders",
  "///v1/orders",
  "/api/v1/nothing",
  "/api/V1/orders",
  "/API/v1/orders",
  "//api/v1/orders",
  "/v1/\u00fc",
  "/v1/%00",
  "/health/",
  "/health/x",
  "/Health",
  "/HEALTH",
  "//health",
  "/v1/health",
] as const;

describe("404", () => {
  it.each(UNKNOWN)("%s is no path of the interface, by any method", async (path) => {
    await expectUnchanged(async () => {
      for (const method of METHODS) {
        expectError(await callApi(method, path, { key }), { code: "ROUTE_NOT_FOUND" });
      }
    });
  });

  it("the catch-all of Next answers the same, whatever gets there", async () => {
    for (const [method, refuse] of Object.entries(CATCH_ALL)) {
      const request = new Request("http://127.0.0.1:3000/api/v1/nothing", {
        method,
        headers: { authorization: `Bearer ${key}` },
      });
      const answer = await toAnswer(refuse(request));
      expect({ status: answer.status, code: errorOf(answer).code }).toEqual({
        status: 404,
        code: "ROUTE_NOT_FOUND",
      });
    }
  });

  it("dots in a path lead where they lead in every URL", async () => {
    expect((await callApi("GET", "/v1/./orders/../key", { key })).status).toBe(200);
    expect((await callApi("GET", "/v1/orders/%2e%2e/key", { key })).status).toBe(200);
  });
});

describe("401", () => {
  it.each(UNKNOWN.filter((path) => /v1/i.test(path)))(
    "%s without a key tells nothing, not even that it is unknown",
    async (path) => {
      await expectRefusal({ code: "MISSING_API_KEY" }, () => callApi("GET", path));
    },
  );
});

describe("405", () => {
  const cases = [...DEFINED.keys()].flatMap((path) =>
    METHODS.filter((method) => !allowedOn(path).includes(method)).map((method) => [method, path]),
  );

  it("there is something to refuse on every path", () => {
    expect(cases.length).toBeGreaterThanOrEqual(DEFINED.size * 4);
  });

  it.each(cases as [string, string][])(
    "%s %s: Allow names what the path defines",
    async (method, path) => {
      await expectUnchanged(async () => {
        const answer = await callApi(method, path.replaceAll(/\{\w+\}/g, "x"), { key });
        const allow = answer.headers.get("allow") ?? "";
        expect(allow.split(", ").toSorted()).toEqual(allowedOn(path).toSorted());
        expectError(answer, { code: "METHOD_NOT_ALLOWED", message: allow });
      });
    },
  );
});

describe("400", () => {
  it.each([
    "/v1/orders/%",
    "/v1/orders/%f",
    "/v1/orders/%ff",
    "/v1/orders/%c0%af",
    "/v1/orders/%ed%a0%80",
    "/v1/%",
    "/v1/markets/%e2%82/book",
    "/%ff/v1",
    "/health%",
    "/api/v1/orders/%zz",
  ])("%s does not decode, with a key or without", async (path) => {
    await expectUnchanged(async () => {
      for (const headers of [{}, { authorization: `Bearer ${key}` }]) {
        for (const method of ["GET", "DELETE", "POST", "OPTIONS"]) {
          expectError(await callApi(method, path, { headers }), { code: "MALFORMED_URL" });
        }
      }
    });
  });

  it("a query that does not decode is read as it can be", async () => {
    expect((await callApi("GET", "/v1/orders/open?id=%", { key })).status).toBe(200);
    expect((await callApi("GET", "/v1/orders/open?id=%ff", { key })).status).toBe(200);
    expect((await callApi("GET", "/v1/orders/open?%", { key })).status).toBe(200);
  });
});

describe("every refusal", () => {
  it("has JSON with the envelope, a request id, and is not cached", async () => {
    for (const [method, path] of [
      ["GET", "/v1/nothing"],
      ["PUT", "/v1/orders"],
      ["HEAD", "/health"],
      ["GET", "/v1/orders/%"],
    ] as const) {
      const answer = await callApi(method, path, { key });
      errorOf(answer);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
    }
  });

  it("paths that are not the interface's are left alone", () => {
    for (const path of [
      "/",
      "/orders",
      "/v10/orders",
      "/v1x",
      "/healthy",
      "/docs",
      "/icons/a.svg",
    ]) {
      expect(gate(new Request(`http://127.0.0.1:3000${path}`))).toBeNull();
    }
  });
});
