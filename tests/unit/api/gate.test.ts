import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { composeKey, KEY_RANDOM_BYTES } from "@/lib/auth/api-key";
import { gate } from "@/lib/api/gate/gate";
import { MAX_BODY_BYTES } from "@/lib/api/http/body";
import { publicPath, readRequest } from "@/lib/api/http/request";
import { newId } from "@/lib/ids";
import { toResponse } from "@/lib/api/http/respond";
import { OPERATIONS } from "@/lib/api/operations";

const KEY = composeKey("paper", randomBytes(KEY_RANDOM_BYTES));

interface Ask {
  method?: string;
  /** The Authorization header; undefined sends none. */
  authorization?: string | undefined;
  headers?: Record<string, string>;
}

function ask(target: string, { method = "GET", authorization, headers = {} }: Ask = {}) {
  const request = new Request(`http://127.0.0.1:3000${target}`, {
    method,
    headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
  });
  const result = gate(readRequest(request));
  return result.outcome === "refused" ? toResponse(result.reply, newId("req"), method) : null;
}

const asUser = (target: string, rest: Ask = {}) =>
  ask(target, { authorization: `Bearer ${KEY}`, ...rest });

const declare = (length: string) =>
  asUser("/v1/orders", { method: "POST", headers: { "content-length": length } });

/** Status and code of a refusal, or null when the request may pass. */
async function verdict(response: Response | null): Promise<[number, string] | null> {
  if (response === null) return null;
  const body = (await response.json()) as { ok: boolean; error: { code: string } };
  expect(body.ok).toBe(false);
  return [response.status, body.error.code];
}

/** Every route with an example of its path. */
const EXAMPLES = Object.values(OPERATIONS).map((route) => ({
  ...route,
  target: route.path.replaceAll(/\{\w+\}/g, "some-id"),
}));
const GUARDED = EXAMPLES.filter(({ access }) => access !== "open");
const OPEN = EXAMPLES.filter(({ access }) => access === "open");

describe("with a key of the right form", () => {
  it.each(EXAMPLES)("$method $target may pass, at both doors", async ({ method, target }) => {
    expect(await verdict(asUser(target, { method }))).toBeNull();
    expect(await verdict(asUser(`/api${target}`, { method }))).toBeNull();
    expect(await verdict(asUser(`${target}?limit=1&x=%00`, { method }))).toBeNull();
  });

  it.each([
    "/v1",
    "/v1/",
    "/v1/nothing",
    "/v1/orders/",
    "/v1/orders/a/b",
    "/v1//orders",
    "//v1/orders",
    "/api//v1/orders",
    "/api/v1/orders/",
    "/V1/orders",
    "/v1/ORDERS",
    "/%76%31/orders",
    "/v1%2Forders",
    "/v1%5Corders",
    "/health/",
    "/HEALTH",
    "/v1/health",
  ])("%s is no path of the interface", async (target) => {
    expect(await verdict(asUser(target))).toEqual([404, "ROUTE_NOT_FOUND"]);
  });

  it.each([
    ["PUT", "/v1/orders", "POST, GET, HEAD, DELETE, OPTIONS"],
    ["PATCH", "/v1/orders/ord_1", "GET, HEAD, DELETE, OPTIONS"],
    ["POST", "/v1/account/balance", "GET, HEAD, OPTIONS"],
    ["DELETE", "/health", "GET, HEAD, OPTIONS"],
    ["GET", "/v1/positions/1/redeem", "POST, OPTIONS"],
    ["HEAD", "/v1/positions/1/redeem", "POST, OPTIONS"],
  ])("%s %s is not defined, and the answer says what is", async (method, target, allowed) => {
    const response = asUser(target, { method });
    const listed = response?.headers.get("allow")?.split(", ").toSorted();
    expect(listed).toEqual(allowed.split(", ").toSorted());
    expect(response?.status).toBe(405);
  });

  it("HEAD passes wherever GET does, and OPTIONS is answered with what the path allows", async () => {
    expect(asUser("/v1/account/balance", { method: "HEAD" })).toBeNull();
    const response = asUser("/v1/markets", { method: "OPTIONS" });
    expect([response?.status, response?.headers.get("allow")]).toEqual([200, "GET, HEAD, OPTIONS"]);
    expect(await response?.json()).toEqual({
      ok: true,
      data: { allow: ["GET", "HEAD", "OPTIONS"] },
    });
  });
});

describe("without a key", () => {
  it.each(OPEN)("$method $target is open to all", async ({ method, target }) => {
    expect(await verdict(ask(target, { method }))).toBeNull();
    expect(await verdict(ask(`/api${target}`, { method }))).toBeNull();
  });

  it.each(GUARDED)("$method $target is refused, at both doors", async ({ method, target }) => {
    expect(await verdict(ask(target, { method }))).toEqual([401, "MISSING_API_KEY"]);
    expect(await verdict(ask(`/api${target}`, { method }))).toEqual([401, "MISSING_API_KEY"]);
  });

  it.each([
    "/V1/orders",
    "/api/V1/orders",
    "/API/v1/orders",
    "/Api/V1/Orders",
    "//v1/orders",
    "///v1/orders",
    "/api//v1/orders",
    "//api//v1/orders",
    "/v1//orders",
    "/%76%31/orders",
    "/%61pi/v1/orders",
    "/api%2Fv1/orders",
    "/v1%2Forders",
    "/v1%5Corders",
    "/x/../v1/orders",
    "/./v1/orders",
    "/v1\\orders",
    "/v1",
    "/v1/",
    "/v1/nothing",
  ])("no spelling gets around it: %s", async (target) => {
    expect(await verdict(ask(target))).toEqual([401, "MISSING_API_KEY"]);
  });

  it.each(["/v1/openapi.json/", "/V1/openapi.json", "/v1/openapi.JSON", "/v1/x/../orders"])(
    "a path that only resembles an open one is not open: %s",
    async (target) => {
      expect(await verdict(ask(target))).toEqual([401, "MISSING_API_KEY"]);
    },
  );

  it.each(["", "Bearer ", "Bearer sk_test", `Basic ${KEY}`, `Bearer ${KEY}x`, `Bearer ${KEY}, x`])(
    "a bearer of another form is refused before anything else: %j",
    async (authorization) => {
      for (const target of ["/v1/orders", "/v1/nothing"]) {
        const [status, code] = (await verdict(ask(target, { authorization }))) ?? [];
        expect(status).toBe(401);
        expect(["MISSING_API_KEY", "INVALID_API_KEY"]).toContain(code);
      }
    },
  );
});

describe("what is not the interface", () => {
  it.each([
    "/",
    "/orders",
    "/markets/v1",
    "/v10",
    "/v1x/orders",
    "/healthy",
    "/api/auth/csrf",
    "/_next/static/x",
  ])("%s may pass without a key", async (target) => {
    expect(await verdict(ask(target))).toBeNull();
  });

  it.each(["/%", "/%zz", "/v1/orders/%E0%A4%A", "/markets/%ff", "/health%"])(
    "a path with a broken escape is refused wherever it leads: %s",
    async (target) => {
      expect(await verdict(asUser(target))).toEqual([400, "MALFORMED_URL"]);
    },
  );
});

describe("a declared body", () => {
  it("of more than the limit is refused", async () => {
    expect(await verdict(declare(String(MAX_BODY_BYTES + 1)))).toEqual([400, "PAYLOAD_TOO_LARGE"]);
    expect(await verdict(declare("99999999999999999999"))).toEqual([400, "PAYLOAD_TOO_LARGE"]);
  });

  it("of the limit of 16 KiB may pass", async () => {
    expect(MAX_BODY_BYTES).toBe(16_384);
    expect(await verdict(declare(String(MAX_BODY_BYTES)))).toBeNull();
    expect(await verdict(declare("0"))).toBeNull();
  });
});

describe("every refusal", () => {
  it("is the envelope as JSON, never cached, with a request id", async () => {
    for (const response of [ask("/v1/orders"), asUser("/v1/nothing"), asUser("/%")]) {
      expect(response?.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(response?.headers.get("cache-control")).toBe("no-store");
      expect(response?.headers.get("x-request-id")).toMatch(/^req_[0-9A-Z]{26}$/);
      const body = (await response?.json()) as object;
      expect(body).toEqual({
        ok: false,
        error: { code: expect.stringMatching(/^[A-Z_]+$/), message: expect.stringMatching(/.+/) },
      });
    }
  });

  it("of a missing key names the scheme", () => {
    expect(ask("/v1/orders")?.headers.get("www-authenticate")).toBe("Bearer");
  });
});

describe("publicPath", () => {
  it.each([
    ["/v1/orders", "/v1/orders"],
    ["/api/v1/orders", "/v1/orders"],
    ["/api/health", "/health"],
    ["/apiary", "/apiary"],
    ["/api", "/api"],
    ["/API/v1/orders", "/API/v1/orders"],
  ])("of %s is %s", (pathname, expected) => {
    expect(publicPath(pathname)).toBe(expected);
  });
});
