import { beforeAll, describe, expect, it } from "vitest";
import { gate } from "@/lib/api/gate/gate";
import { readRequest } from "@/lib/api/http/request";
import type { Operation } from "@/lib/api/operations/operation";
import { OPERATIONS } from "@/lib/api/operations";
import { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/app/api/[...rest]/route";
import { type ApiAnswer, callApi } from "@/tests/support/api/call-api";
import { readError } from "@/tests/support/api/client";
import { useExchange } from "@/tests/support/api/exchange";
import { toAnswer } from "@/tests/support/api/routes";
import { expectError, expectRefusal, expectUnchanged } from "@/tests/support/api/state";
import { makeUser } from "@/tests/support/users";

useExchange();

let key: string;

beforeAll(async () => {
  ({ apiKey: key } = await makeUser());
});

/** Headers that differ between responses. */
const CHANGING = new Set(["x-request-id", "ratelimit"]);
const CATCH_ALL = { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS };
const METHODS = Object.keys(CATCH_ALL);

/** The methods of each path of the API. */
const DEFINED = new Map<string, string[]>();
for (const { path, method } of Object.values<Operation>(OPERATIONS)) {
  DEFINED.set(path, [...(DEFINED.get(path) ?? []), method]);
}
/** Methods of parameterized paths that also match: for DELETE, "open" is an id. */
const ALSO: Record<string, string[]> = {
  "/v1/orders/open": ["DELETE"],
  "/v1/orders/preview": ["GET", "DELETE"],
};
/** HEAD is supported if GET is, OPTIONS always. */
function allowedOn(path: string): string[] {
  const methods = [...(DEFINED.get(path) ?? []), ...(ALSO[path] ?? []), "OPTIONS"];
  return methods.includes("GET") ? [...methods, "HEAD"] : methods;
}

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
  it.each(UNKNOWN)("%s doesn't exist, with any method", async (path) => {
    await expectUnchanged(async () => {
      for (const method of METHODS.filter((name) => name !== "HEAD")) {
        expectError(await callApi(method, path, { key }), { code: "ROUTE_NOT_FOUND" });
      }
    });
  });

  it("the catch-all route of Next returns the same", async () => {
    for (const refuse of Object.values(CATCH_ALL)) {
      const answer = await toAnswer(refuse());
      expect({ status: answer.status, code: readError(answer).code }).toEqual({
        status: 404,
        code: "ROUTE_NOT_FOUND",
      });
    }
  });

  it("dots in a path are resolved like in every URL", async () => {
    expect((await callApi("GET", "/v1/./orders/../key", { key })).status).toBe(200);
    expect((await callApi("GET", "/v1/orders/%2e%2e/key", { key })).status).toBe(200);
  });
});

describe("401", () => {
  it.each(UNKNOWN.filter((path) => /v1/i.test(path)))(
    "%s without a key returns 401, not 404",
    async (path) => {
      await expectRefusal({ code: "MISSING_API_KEY" }, () => callApi("GET", path));
    },
  );
});

describe("405", () => {
  const cases = [...DEFINED.keys()].flatMap((path) =>
    METHODS.filter((method) => method !== "HEAD" && !allowedOn(path).includes(method)).map(
      (method) => [method, path],
    ),
  );

  it("every path has an unsupported method", () => {
    expect(cases.length).toBeGreaterThanOrEqual(DEFINED.size * 2);
  });

  it.each(cases as [string, string][])(
    "%s %s: Allow lists the methods of the path",
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

describe("200", () => {
  const paths = [...DEFINED.keys()].map((path) => path.replaceAll(/\{\w+\}/g, "x"));

  it.each(paths)(
    "OPTIONS %s lists the methods of the path, in Allow and in the envelope",
    async (path) => {
      await expectUnchanged(async () => {
        const answer = await callApi("OPTIONS", path, { key });
        expect(answer.status).toBe(200);
        const allow = (answer.headers.get("allow") ?? "").split(", ");
        expect(answer.body).toEqual({ ok: true, data: { allow } });
        const template = [...DEFINED.keys()].find(
          (known) => known.replaceAll(/\{\w+\}/g, "x") === path,
        );
        expect(allow.toSorted()).toEqual(allowedOn(template ?? "").toSorted());
      });
    },
  );

  it("OPTIONS needs a key if the path does", async () => {
    expectError(await callApi("OPTIONS", "/v1/orders"), { code: "MISSING_API_KEY" });
    expect((await callApi("OPTIONS", "/health")).status).toBe(200);
  });

  it.each([
    "/health",
    "/v1/openapi.json",
    "/v1/key",
    "/v1/account/balance",
    "/v1/orders",
    "/v1/orders/open",
    "/v1/orders/x",
    "/v1/markets",
    "/v1/orders?limit=0",
  ])("HEAD %s has the status and the headers of GET, and no body", async (path) => {
    const get = await callApi("GET", path, { key });
    const head = await callApi("HEAD", path, { key });
    expect(head.text).toBe("");
    expect(head.status).toBe(get.status);
    const comparable = ({ headers }: ApiAnswer) =>
      Object.fromEntries([...headers].filter(([name]) => !CHANGING.has(name)));
    expect(comparable(head)).toEqual(comparable(get));
    expect(get.headers.get("content-length")).toBe(String(Buffer.byteLength(get.text)));
  });

  it("HEAD needs the key that GET needs", async () => {
    const head = await callApi("HEAD", "/v1/orders");
    expect([head.status, head.text]).toEqual([401, ""]);
  });
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
  ])("%s can't be decoded and is rejected, with or without a key", async (path) => {
    await expectUnchanged(async () => {
      for (const headers of [{}, { authorization: `Bearer ${key}` }]) {
        for (const method of ["GET", "DELETE", "POST", "OPTIONS"]) {
          expectError(await callApi(method, path, { headers }), { code: "MALFORMED_URL" });
        }
      }
    });
  });

  it("a query that can't be decoded is parsed leniently", async () => {
    expect((await callApi("GET", "/v1/orders/open?id=%", { key })).status).toBe(200);
    expect((await callApi("GET", "/v1/orders/open?id=%ff", { key })).status).toBe(200);
    expect((await callApi("GET", "/v1/orders/open?%", { key })).status).toBe(200);
  });
});

describe("every error response", () => {
  it("has JSON with the envelope, a request id, and is not cached", async () => {
    for (const [method, path] of [
      ["GET", "/v1/nothing"],
      ["PUT", "/v1/orders"],
      ["PUT", "/health"],
      ["GET", "/v1/orders/%"],
    ] as const) {
      const answer = await callApi(method, path, { key });
      readError(answer);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
    }
  });

  it("ignores paths outside the API", () => {
    for (const path of [
      "/",
      "/orders",
      "/v10/orders",
      "/v1x",
      "/healthy",
      "/docs",
      "/icons/a.svg",
    ]) {
      const request = readRequest(new Request(`http://127.0.0.1:3000${path}`));
      expect(gate(request)).toEqual({ outcome: "other" });
    }
  });
});
