import { describe, expect, it } from "vitest";
import { isPage, needsSession } from "@/lib/api/http/page-security";
import { OPERATIONS } from "@/lib/api/operations";
import { config } from "@/proxy";
import { PRODUCT } from "@/tests/architecture/source";
import {
  ACTIONS,
  listCalls,
  ENDPOINTS,
  foundActions,
  foundEndpoints,
  foundPages,
  PAGES,
} from "@/tests/support/authorization/table";

const sorted = (names: Iterable<string>) => [...names].toSorted();
/** A group of operations is one of a few; other parameters can have any value. */
const toExample = (url: string) =>
  url.replaceAll("[group]", "orders").replaceAll(/\[[^\]]+\]/g, "x");

describe("the table of who may ask what", () => {
  it("has exactly the endpoints that the files have", () => {
    expect(sorted(Object.values(ENDPOINTS).flat())).toEqual(sorted(foundEndpoints()));
  });

  it("has exactly the pages that the files have", () => {
    expect(sorted(Object.keys(PAGES))).toEqual(sorted(foundPages().map(({ url }) => url)));
  });

  it("has exactly the server actions that the files have, each of another name", () => {
    expect(sorted(Object.keys(ACTIONS))).toEqual(sorted(foundActions().map(({ name }) => name)));
  });

  it("opens to keys exactly what the table of routes does", () => {
    const guarded = Object.values(OPERATIONS)
      .filter(({ access }) => access !== "open")
      .map(({ method, path }) => `${method} /api${path.replaceAll(/\{(\w+)\}/g, "[$1]")}`);
    const isAnId = /^DELETE .*\/(open|preview)$|^GET .*\/preview$/;
    const isMcp = (endpoint: string) => endpoint === "POST /api/mcp";
    const own = ENDPOINTS.key.filter((endpoint) => !isAnId.test(endpoint) && !isMcp(endpoint));
    expect(sorted(own)).toEqual(sorted(guarded));
  });
});

describe("proxy.ts", () => {
  const matchers = config.matcher.map((matcher) => new RegExp(`^${matcher}$`));
  const isSeen = (path: string) => matchers.some((matcher) => matcher.test(path));
  const paths = Object.values(OPERATIONS).map(({ path }) => path.replaceAll(/\{\w+\}/g, "some-id"));

  it.each(paths)("sees %s, with and without /api", (path) => {
    expect([isSeen(path), isSeen(`/api${path}`)]).toEqual([true, true]);
  });

  it("sees unknown paths and pages, and leaves the build's static files alone", () => {
    for (const path of ["/v1", "/v1/nothing", "/v2/x", "/", "/orders", "/api/ui/book"]) {
      expect(isSeen(path), path).toBe(true);
    }
    expect(isSeen("/_next/static/chunks/a.js")).toBe(false);
  });
});

describe("pages", () => {
  const guarded = foundPages().filter(({ url }) => PAGES[url] === "session");

  it.each(guarded)("$url asks for the session before anything else", ({ body }) => {
    expect(body && listCalls(body)[0]).toBe("requireSession");
  });

  it("are told by the proxy to need a session exactly when they do", () => {
    for (const { url } of foundPages()) {
      expect(needsSession(toExample(url)), url).toBe(PAGES[url] === "session");
    }
  });
});

it("every page is known as one, and a path that no file has is none", () => {
  for (const { url } of foundPages()) expect(isPage(toExample(url)), url).toBe(true);
  for (const path of [
    "/nowhere",
    "/v2/orders",
    "/docs/x",
    "/docs/orders/x",
    "/trade/x",
    "/keys/x/y",
    "/orders/x/y",
  ]) {
    expect(isPage(path), path).toBe(false);
  }
});

describe("server actions", () => {
  const guarded = foundActions().filter(({ name }) => ACTIONS[name] === "session");

  it.each(guarded)("$name asks for the session before anything else", ({ body }) => {
    // The second is the first, and then the check of which account the form's page shows.
    expect(["requireSession", "requireSessionInPageMode"]).toContain(listCalls(body)[0]);
  });

  it("reach guarded changes only through the use cases that ask for the second factor", () => {
    const unguarded =
      /^(importLiveWallet|removeLiveWallet|issueKey|createKey|rotateKey|createWebhook|rotateWebhook|changeWebhook|setSessionMode|updatePassword)$/;
    const found = foundActions().flatMap(({ name, body }) =>
      listCalls(body)
        .filter((call) => unguarded.test(call))
        .map((call) => `${name} calls ${call}`),
    );
    expect(found).toEqual([]);
    const all = foundActions().flatMap(({ body }) => listCalls(body));
    const useCases = `switchMode importOwnLiveWallet removeOwnLiveWallet issueOwnKey rotateOwnKey
      createOwnWebhook rotateOwnWebhook changeOwnWebhook changePassword startPasskey startTotpSetup
      renewRecoveryCodes removeFactor`;
    expect(useCases.split(/\s+/).filter((name) => !all.includes(name))).toEqual([]);
  });

  it("are nowhere but in files of their own, which begin by saying so", () => {
    const hidden = PRODUCT.filter(
      ({ text }) => /["']use server["']/.test(text) && !text.startsWith('"use server";'),
    );
    expect(hidden.map(({ path }) => path)).toEqual([]);
  });
});
