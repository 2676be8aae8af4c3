import { readFileSync } from "node:fs";
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

/** The paths in the rows of docs/sandbox.md that say "missing". */
const MISSING = readFileSync("docs/sandbox.md", "utf8")
  .split("\n")
  .filter((line) => /^\|[^|]+\| missing \|/.test(line))
  .flatMap((line) => [...line.matchAll(/`(?:GET )?(\/[^` ]+)`/g)].map(([, path = ""]) => path));

it.each(MISSING)("the document lists %s as missing, and no service has it", async (path) => {
  for (const mount of ["", "/clob", "/gamma", "/data", "/relayer"]) {
    const response = await ask(`/sandbox${mount}${path.replaceAll(/\{\w+\}/g, "1")}`);
    expect([404, 405], mount).toContain(response.status);
    if (response.status === 404) expect(await response.json()).toEqual({ error: "not found" });
  }
});

it.each([
  "/data/wallet-open-orders",
  "/cancel-wallet-orders",
  "/ohlc",
  "/v2/approvals",
  "/v2/activity",
  "/v2/resolutions",
  "/relayer/api/keys",
])("the document lists %s as missing", (path) => {
  expect(MISSING).toContain(path);
});
