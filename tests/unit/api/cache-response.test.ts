import { createHash } from "node:crypto";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { setClock } from "@/lib/clock";
import type { AccountRef } from "@/lib/db/queries/mode";
import { cacheReply, cacheResponse, findCachedReply } from "@/lib/api/middleware/cache-response";
import { type ApiRequest, readRequest } from "@/lib/api/http/request";
import { Reply } from "@/lib/api/http/respond";
import type { ApiContext } from "@/lib/api/middleware/middleware";
import { OPERATIONS } from "@/lib/api/operations";

const VERSION = "1/700/600";
const ADA: AccountRef = { userId: "usr_ada", mode: "paper" };

let path = "";
let paths = 0;
beforeEach(() => {
  path = `/v1/orders/ord_${(paths += 1)}`;
});

const get = (target: string): ApiRequest => readRequest(new Request(`http://ante.test${target}`));
const asked = (target = path, version: string | null = VERSION) => ({
  request: get(target),
  version,
});

/** A read of an order on its way, with its caller and version. */
const createContext = (): ApiContext => ({
  request: get(path),
  entry: "key",
  params: null,
  bearer: null,
  id: "getOrder",
  cachePolicy: "records",
  operation: OPERATIONS.getOrder,
  requestId: "req_1",
  fields: {},
  headers: {},
  principal: { ...ADA, keyId: "key", scopes: ["read"], isLimited: false, requestId: "req_1" },
  accountVersion: VERSION,
  comparedAt: null,
});

function keep(target = path, version: string | null = VERSION): Reply {
  const reply = new Reply({ status: 200, body: `{"for":"${target}"}` });
  cacheReply(ADA, asked(target, version), reply);
  return reply;
}

it("a reply is cached per account, path and query, for /v1 and /api/v1", () => {
  const reply = keep(`${path}?limit=2`);
  for (const door of [path, `/api${path}`]) {
    expect(findCachedReply("paper account", ADA, asked(`${door}?limit=2`))).toBe(reply);
  }
});

it("a cached reply is never returned to another account, even with the same version", () => {
  keep();
  for (const other of [{ userId: "usr_bob" }, { mode: "live" }] as const) {
    expect(findCachedReply("paper account", { ...ADA, ...other }, asked())).toBeNull();
  }
});

it("a cached reply is not returned for another path or query", () => {
  keep(`${path}?limit=2`);
  for (const other of [path, `${path}?limit=3`, `${path}?limit=2&id=x`, `${path}x?limit=2`]) {
    expect(findCachedReply("paper account", ADA, asked(other))).toBeNull();
  }
});

it("a cached reply is not returned when the version changed or is unknown", () => {
  keep();
  for (const version of ["1/701/600", "2/700/600", null]) {
    expect(findCachedReply("paper account", ADA, asked(path, version))).toBeNull();
  }
  keep(`${path}/unstamped`, null);
  expect(findCachedReply("paper account", ADA, asked(`${path}/unstamped`, null))).toBeNull();
});

it("a cached reply expires after a second with prices, and after a minute without", () => {
  let at = Date.UTC(2026, 10, 22);
  onTestFinished(setClock(() => at));
  const reply = keep();
  at += 999;
  expect(findCachedReply("paper account and prices", ADA, asked())).toBe(reply);
  at += 1;
  expect(findCachedReply("paper account and prices", ADA, asked())).toBeNull();
  at += 58_999;
  expect(findCachedReply("records", ADA, asked())).toBe(reply);
  at += 1;
  expect(findCachedReply("records", ADA, asked())).toBeNull();
});

it("the least recently used entries are evicted first", () => {
  const bytes = new Uint8Array(800_000);
  const keepLarge = (target: string) =>
    cacheReply(ADA, asked(target), new Reply({ status: 200, body: "" }, {}, bytes));
  const isKept = (target: string) => findCachedReply("paper account", ADA, asked(target)) !== null;
  const large = (index: number) => `${path}/large/${index}`;
  // About forty entries fit.
  for (let index = 0; index < 30; index += 1) keepLarge(large(index));
  expect(isKept(large(0))).toBe(true);
  for (let index = 30; index < 60; index += 1) keepLarge(large(index));
  expect([isKept(large(0)), isKept(large(1)), isKept(large(59))]).toEqual([true, false, true]);
  for (let index = 60; index < 120; index += 1) keepLarge(large(index));
  expect([isKept(large(0)), isKept(large(119))]).toEqual([false, true]);
});

it("a long reply is sent and cached as bytes of the same text, with the tag of the text", async () => {
  const body = "é".repeat(5_000);
  const context = createContext();
  const sent = await cacheResponse(context, async () => new Reply({ status: 200, body }));
  const etag = `W/"${createHash("sha1").update(body).digest("base64url")}"`;
  expect(new TextDecoder().decode(sent.payload as Uint8Array)).toBe(body);
  expect(sent.headers).toEqual({ etag });
  expect(await cacheResponse(context, () => Promise.reject(new Error("not cached")))).toBe(sent);
});
