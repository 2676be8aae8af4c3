import { beforeAll, expect, it } from "vitest";
import { OPERATIONS } from "@/lib/api/operations";
import type { Operation } from "@/lib/api/operations/operation";
import { callApi } from "@/tests/support/api/call-api";
import { place } from "@/tests/support/api/client";
import { loadMarkets, orderFor, type TestMarket, useExchange } from "@/tests/support/api/exchange";
import { makeUser, type TestUser } from "@/tests/support/users";

useExchange();

let market: TestMarket;
let user: TestUser;

beforeAll(async () => {
  user = await makeUser();
  market = (await loadMarkets(user.apiKey)).free;
});

const read = (path: string, headers: Record<string, string> = {}, key = user.apiKey) =>
  callApi("GET", path, { key, headers });

/** Every read of an account or of markets that needs no id. */
const PATHS = Object.values<Operation>(OPERATIONS)
  .filter(({ method, access }) => method === "GET" && access !== "open")
  .map(({ path }) => path)
  .filter((path) => !path.includes("{") && !path.endsWith("/stream"));

it.each(PATHS)("a repeated read of %s with its ETag is a 304 without a body", async (path) => {
  const first = await read(path);
  const etag = first.headers.get("etag") ?? "";
  expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
  for (const known of [etag, `"other", ${etag}`, etag.slice(2)]) {
    const again = await read(path, { "if-none-match": known });
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
    expect(again.headers.get("content-length")).toBeNull();
  }
});

it("a read with If-None-Match * gets its response, because it names none that the caller has", async () => {
  const { status, body } = await read("/v1/account/balance", { "if-none-match": "*" });
  expect([status, body.ok]).toEqual([200, true]);
});

it("a read with the ETag of an older response gets the whole new one", async () => {
  const before = await read("/v1/account/balance");
  const known = { "if-none-match": before.headers.get("etag") ?? "" };
  expect((await read("/v1/account/balance", known)).status).toBe(304);
  await place(user.apiKey, orderFor(market, { orderType: "market" }));
  const after = await read("/v1/account/balance", known);
  expect(after.status).toBe(200);
  expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
  expect(after.body.data).not.toEqual(before.body.data);
});

it("an ETag of another account's response does not hide the own one", async () => {
  const other = await makeUser();
  const theirs = await read("/v1/account/balance", {}, other.apiKey);
  const own = await read("/v1/account/balance", {
    "if-none-match": theirs.headers.get("etag") ?? "",
  });
  expect(own.status).toBe(200);
});

it("a failed read has no ETag, and If-None-Match does not change it", async () => {
  const failed = await read("/v1/orders/ord_00000000000000000000000000", { "if-none-match": "*" });
  expect([failed.status, failed.headers.get("etag")]).toEqual([404, null]);
});

it("a write has no ETag, and If-None-Match does not stop it", async () => {
  const { status, headers } = await callApi("POST", "/v1/orders", {
    key: user.apiKey,
    body: orderFor(market),
    headers: { "if-none-match": "*" },
  });
  expect([status, headers.get("etag")]).toEqual([200, null]);
});
