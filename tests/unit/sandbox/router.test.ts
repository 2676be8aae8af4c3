import { expect, it } from "vitest";
import { answerSandbox, isSandboxPath } from "@/lib/sandbox/router";

const ask = (path: string, method = "GET") =>
  answerSandbox(new Request(`http://ante.test${path}`, { method }));

it.each(["/sandbox/clob/ok", "/api/sandbox/clob/ok"])("the router answers %s", async (path) => {
  const response = await ask(path);
  expect([response.status, await response.json()]).toEqual([200, "OK"]);
});

it("the router answers HEAD like GET, without a body", async () => {
  const response = await ask("/sandbox/clob/ok", "HEAD");
  expect([response.status, await response.text()]).toEqual([200, ""]);
});

it.each([
  ["PUT", "/sandbox/clob/ok", 405, "GET, HEAD, OPTIONS"],
  ["GET", "/sandbox/clob/order", 405, "POST, DELETE, OPTIONS"],
  ["OPTIONS", "/sandbox/clob/order", 204, "POST, DELETE, OPTIONS"],
])("%s %s returns the allowed methods", async (method, path, status, allow) => {
  const response = await ask(path, method);
  expect([response.status, response.headers.get("allow")]).toEqual([status, allow]);
});

it.each([
  "/sandbox/nothing",
  "/sandbox/clob/ok/more",
  "/sandbox//clob/ok",
  "/sandbox/data-v2/trades",
])("%s returns 404", async (path) => {
  const response = await ask(path);
  expect([response.status, await response.json()]).toEqual([404, { error: "not found" }]);
});

it.each(["/", "/v1/orders", "/sandbox", "/sandboxes/clob/ok", "/Sandbox/clob/ok"])(
  "%s is not a sandbox path",
  (path) => {
    expect(isSandboxPath(path)).toBe(false);
  },
);
