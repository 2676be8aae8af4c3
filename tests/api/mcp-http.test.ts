import { beforeAll, describe, expect, it } from "vitest";
import { GET, OPTIONS, POST, DELETE } from "@/app/api/mcp/route";
import { Failure } from "@/lib/schemas/envelope";
import { useExchange } from "@/tests/support/api/exchange";
import { expectUnchanged } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

useExchange();

let user: TestUser;

beforeAll(async () => {
  user = await makeUser();
});

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1.0.0" },
  },
};
const CANCEL_ALL = {
  jsonrpc: "2.0",
  id: 2,
  method: "tools/call",
  params: { name: "cancel_all_orders", arguments: {} },
};

function createRequest(
  headers: Record<string, string>,
  body: unknown = INITIALIZE,
  method = "POST",
): Request {
  return new Request("http://127.0.0.1:3000/mcp", {
    method,
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...headers,
    },
    ...(method === "POST" && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe("POST /mcp", () => {
  it("answers without a session, with the headers of the interface", async () => {
    const response = await POST(createRequest(bearer(user.apiKey)));
    expect(response.status).toBe(200);
    const { headers } = response;
    expect(headers.get("mcp-session-id")).toBeNull();
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-request-id")).toMatch(/^req_/);
    expect(await response.text()).toContain('"name":"ante"');
  });

  it.each([
    ["no key", {}, "MISSING_API_KEY"],
    ["no valid key", bearer("ante_paper_nothing"), "INVALID_API_KEY"],
    ["a session's cookie", { cookie: "next-auth.session-token=x" }, "MISSING_API_KEY"],
  ])("refuses a message with %s, and nothing happens", async (_, headers, code) => {
    await expectUnchanged(async () => {
      const response = await POST(createRequest(headers, CANCEL_ALL));
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
      expect(Failure.parse(await response.json()).error.code).toBe(code);
    });
  });

  it.each(["http://evil.example.com", "https://127.0.0.1.evil.example.com", "null"])(
    "refuses a page of the origin %s, and nothing happens",
    async (origin) => {
      await expectUnchanged(async () => {
        const headers = { ...bearer(user.apiKey), origin, host: "evil.example.com" };
        const response = await POST(createRequest(headers, CANCEL_ALL));
        expect(response.status).toBe(403);
        expect(await response.text()).not.toContain("result");
      });
    },
  );

  it.each(["http://127.0.0.1:3000", "http://localhost:6274"])(
    "serves a page of the origin %s",
    async (origin) => {
      const response = await POST(createRequest({ ...bearer(user.apiKey), origin }));
      expect(response.status).toBe(200);
    },
  );

  it.each([
    ["no JSON", "{", 400],
    ["more than 64 KiB", JSON.stringify({ ...INITIALIZE, padding: "x".repeat(65_536) }), 413],
  ])("refuses %s, and nothing happens", async (_, body, status) => {
    await expectUnchanged(async () => {
      expect((await POST(createRequest(bearer(user.apiKey), body))).status).toBe(status);
    });
  });

  it("opens no subscription, which would keep its connection", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
    };
    const params = { _meta: meta, notifications: { toolsListChanged: true } };
    const listen = { jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params };
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
    const response = await POST(createRequest({ ...bearer(user.apiKey), ...headers }, listen));
    // A stream would never end.
    expect(await response.text()).toMatch(/"error":/);
  });
});

describe("other methods of /mcp", () => {
  it.each([
    ["GET", GET],
    ["DELETE", DELETE],
    ["OPTIONS", OPTIONS],
  ])("%s is refused: there are no streams and no sessions", async (method, handle) => {
    const response = await handle(createRequest(bearer(user.apiKey), null, method));
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
    expect(Failure.parse(await response.json()).error.code).toBe("METHOD_NOT_ALLOWED");
  });
});
