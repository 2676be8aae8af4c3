import { expect, it } from "vitest";
import { createSandboxLane } from "@/lib/http/sandbox-lane";

const handler =
  (name: string) =>
  async (request: Request, { params }: { params: Promise<Record<string, string>> }) =>
    Response.json({ name, params: await params, query: new URL(request.url).search });

const lane = createSandboxLane([
  { folder: "sandbox/[...rest]", module: { GET: handler("rest") } },
  { folder: "sandbox/clob/markets/[conditionId]", module: { GET: handler("market") } },
  { folder: "sandbox/clob/markets/all", module: { GET: handler("all") } },
  { folder: "sandbox/clob/order", module: { POST: handler("place"), DELETE: handler("cancel") } },
]);

const ask = (path: string, method = "GET") =>
  lane(new Request(`http://ante.test${path}`, { method }));

it.each([
  ["GET", "/sandbox/clob/markets/0xab?x=1", { name: "market", params: { conditionId: "0xab" } }],
  ["GET", "/sandbox/clob/markets/all", { name: "all", params: {} }],
  ["POST", "/sandbox/clob/order", { name: "place", params: {} }],
  ["DELETE", "/sandbox/clob/order", { name: "cancel", params: {} }],
])("%s %s is handled by its file, a literal one before a parameter", async (method, path, told) => {
  const answer = await ask(path, method);
  expect(await answer?.json()).toEqual({ ...told, query: new URL(path, "http://a").search });
});

it.each([
  ["GET", "/sandbox/clob/order"],
  ["HEAD", "/sandbox/clob/markets/all"],
  ["OPTIONS", "/sandbox/clob/order"],
  ["GET", "/sandbox/nothing"],
  ["GET", "/sandbox/clob/markets/"],
  ["GET", "/sandbox/clob/markets/%30xab"],
  ["GET", "/sandbox//clob/markets/0xab"],
  ["GET", "/Sandbox/clob/markets/0xab"],
  ["GET", "/api/sandbox/clob/markets/0xab"],
  ["GET", "/sandbox/clob/markets/0xab/more"],
  ["GET", "/"],
])("%s %s is left to Next", async (method, path) => {
  expect(await ask(path, method)).toBeNull();
});
