// Any parameter is cheap to parse and gets a short response.
import { beforeAll, describe, expect, it } from "vitest";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { MAX_SEARCH_WORDS } from "@/lib/domain/search";
import { MarketList } from "@/lib/schemas/markets";
import { type OperationId, OPERATIONS } from "@/lib/api/operations";
import { startSession } from "@/lib/auth/start-session";
import { callApi } from "@/tests/support/api/call-api";
import { readError, read } from "@/tests/support/api/client";
import { useExchange } from "@/tests/support/api/exchange";
import { callDoor, listEndpoints } from "@/tests/support/authorization/call-endpoint";
import { makeUser } from "@/tests/support/users";

useExchange();

const LENGTH = 15_000;
const MAX_ANSWER = 400;
const LONG: Record<string, string> = {
  "one word": "a".repeat(LENGTH),
  words: "will the ".repeat(LENGTH / 9),
  digits: "1".repeat(LENGTH),
  "letters that grow when they are taken apart": "\u{FDFA}".repeat(LENGTH / 9),
  commas: ",".repeat(LENGTH),
  "a date without end": `2026-11-22T00:00:00.${"0".repeat(LENGTH)}Z`,
};
const TEXTS = Object.entries(LONG);

let key = "";
let cookie = "";
beforeAll(async () => {
  const user = await makeUser();
  key = user.apiKey;
  ({ cookie } = await startSession(user.userId, { address: "127.0.0.1", userAgent: "test" }));
});

const operations = Object.entries(OPERATIONS).map(([id, { method, path }]) => {
  const { query, params } = OPERATIONS[id as OperationId];
  return { method, path, names: Object.keys(query.shape), ids: Object.keys(params.shape) };
});
const queries = operations.flatMap(({ method, path, names }) =>
  names.map((name) => [`${method} ${path}?${name}=`, { method, path, name }] as const),
);
const paths = operations.filter(({ method, ids }) => method === "GET" && ids.length > 0);

describe("a parameter of 15 kB", () => {
  it.each(queries)("%s is rejected with a short message", async (_name, { method, path, name }) => {
    for (const [kind, text] of TEXTS) {
      const at = path.replaceAll(/\{\w+\}/g, "x");
      const answer = await callApi(method, `${at}?${name}=${encodeURIComponent(text)}`, { key });
      expect(answer.status, kind).toBe(400);
      expect(answer.text.length, kind).toBeLessThan(MAX_ANSWER);
      const { code, message } = readError(answer);
      expect(["VALIDATION_ERROR", "INVALID_CURSOR"], kind).toContain(code);
      expect(message, kind).toContain(name);
    }
  });

  it.each(paths)("$path finds nothing, with a short message", async ({ method, path }) => {
    for (const [kind, text] of TEXTS) {
      const at = path.replace(/\{\w+\}/, encodeURIComponent(text));
      const answer = await callApi(method, at, { key });
      expect([400, 404], kind).toContain(answer.status);
      expect(answer.text.length, kind).toBeLessThan(MAX_ANSWER);
    }
  });

  const reads = listEndpoints("session").filter(({ path }) => !path.startsWith("/api/ui/v1/"));

  it.each(reads)(
    "$name, which a browser reads, rejects it with a short message",
    async (endpoint) => {
      const headers = { cookie: `${sessionCookieName()}=${cookie}` };
      for (const name of ["market", "token", "key", "q", "cursor", "x"]) {
        const answer = await callDoor(endpoint, { headers, query: `?${name}=${LONG["digits"]}` });
        const text = await answer.text();
        expect([answer.status, text.length < MAX_ANSWER], text).toEqual([400, true]);
      }
    },
  );

  const sandbox = [...listEndpoints("everybody"), ...listEndpoints("wallet")].filter(
    ({ method, path }) => method === "GET" && path.startsWith("/api/sandbox/"),
  );

  it.each(sandbox)(
    "$name rejects it with a short message, and thousands of parameters",
    async (endpoint) => {
      for (const query of [
        `?x=${LONG["digits"]}`,
        `?${LONG["digits"]}=x`,
        `?${"clob_token_ids=1&".repeat(LENGTH / 17)}`,
        `?${"a&".repeat(LENGTH / 2)}`,
      ]) {
        const answer = await callDoor(endpoint, { query });
        const text = await answer.text();
        expect([answer.status, text.length < MAX_ANSWER], text.slice(0, 200)).toEqual([400, true]);
      }
    },
  );
});

describe("a search", () => {
  const search = (text: string) =>
    callApi("GET", `/v1/markets?search=${encodeURIComponent(text)}`, { key });

  it("can have as many words and characters as the error message says", async () => {
    const words = Array.from({ length: MAX_SEARCH_WORDS + 1 }, (_, index) => `w${index}`);
    expect((await search(words.slice(1).join(" "))).status).toBe(200);
    expect(readError(await search(words.join(" ")))).toEqual({
      code: "VALIDATION_ERROR",
      message: "search: must have at most 20 words",
    });
    expect((await search("x".repeat(100))).status).toBe(200);
    expect(readError(await search("x".repeat(101)))).toEqual({
      code: "VALIDATION_ERROR",
      message: "search: must have at most 100 characters",
    });
  });

  it("finds the same for repeated words", async () => {
    const [market] = (await read(MarketList, "/v1/markets?limit=1", key)).markets;
    const [word = ""] = /\p{L}{5,}/u.exec(market?.title ?? "") ?? [];
    const once = await read(MarketList, `/v1/markets?search=${word}`, key);
    expect(once.markets.length).toBeGreaterThan(0);
    expect(await read(MarketList, `/v1/markets?search=${word}+${word}`, key)).toEqual(once);
  });
});
