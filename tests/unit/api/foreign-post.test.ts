import { describe, expect, it } from "vitest";
import { isForeign } from "@/lib/api/http/foreign-post";

const HOST = { host: "ante.test:3000" };

describe("a form", () => {
  it.each<[string, Record<string, string>]>([
    ["a program", {}],
    ["our own page", { origin: "http://ante.test:3000", "sec-fetch-site": "same-origin" }],
    ["our own page in an old browser", { origin: "https://ante.test:3000" }],
    ["a page behind a proxy", { origin: "https://bets.test", "x-forwarded-host": "bets.test" }],
    ["a page of the public address", { origin: "http://127.0.0.1:3000" }],
    ["the address bar", { "sec-fetch-site": "none" }],
  ])("of %s is taken", (_name, headers) => {
    expect(isForeign(new Headers({ ...HOST, ...headers }))).toBe(false);
  });

  it.each<[string, Record<string, string>]>([
    ["another site", { origin: "https://evil.test", "sec-fetch-site": "cross-site" }],
    ["another site in an old browser", { origin: "https://evil.test" }],
    ["a site that hides where it is", { origin: "null" }],
    ["a site that names none", { "sec-fetch-site": "cross-site" }],
    ["another port of the same host", { origin: "http://ante.test:5000" }],
    ["a subdomain", { origin: "http://x.ante.test:3000", "sec-fetch-site": "same-site" }],
    ["a name that ends like ours", { origin: "http://notante.test:3000" }],
    [
      "a site that lies about its origin",
      {
        origin: "http://ante.test:3000",
        "sec-fetch-site": "same-site",
      },
    ],
    ["what is no origin", { origin: "ante.test:3000/" }],
    ["two origins", { origin: "http://ante.test:3000, https://evil.test" }],
  ])("of %s is refused", (_name, headers) => {
    expect(isForeign(new Headers({ ...HOST, ...headers }))).toBe(true);
  });
});
