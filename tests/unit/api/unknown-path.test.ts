import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { refuseUnknownPath } from "@/lib/api/gate/unknown-path";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

async function ask(path: string, accept?: string, method = "GET") {
  const headers = accept === undefined ? undefined : { accept };
  const init = headers === undefined ? { method } : { method, headers };
  const answer = refuseUnknownPath(new Request(`http://ante.test${path}`, init));
  if (answer === null) return null;
  const { ok, error } = (await answer.json()) as { ok: boolean; error: { code: string } };
  return [answer.status, answer.headers.get("content-type"), ok, error.code];
}

const ENVELOPE = [404, "application/json; charset=utf-8", false, "ROUTE_NOT_FOUND"];
const UNKNOWN = [
  "/v2/orders",
  "/V2",
  "/orders.json",
  "/favicon.icon",
  "/docs/x",
  "/API/x",
  "/a/%ff",
];
const PAGES = [
  "/",
  "/orders",
  "/markets/some-slug",
  "/docs",
  "/docs/orders",
  "/sign-in",
  "/keys/new/",
];
const FILES = [
  "/v1/orders/%00",
  "/V1/orders.rsc",
  "/health",
  "/_next/static/x.js",
  "/llms.txt",
  "/icons/x.svg",
  ...readdirSync("public", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.replace("public", "")),
  "/api/ui/summary",
];

describe("a program", () => {
  it.each(UNKNOWN)("is answered the envelope at %s, by whatever method", async (path) => {
    for (const accept of [undefined, "*/*", "application/json", "application/json, */*"]) {
      expect(await ask(path, accept)).toEqual(ENVELOPE);
      expect(await ask(path, accept, "POST")).toEqual(ENVELOPE);
    }
  });

  it.each(PAGES)("that asks for JSON is answered the envelope at the page %s", async (path) => {
    expect(await ask(path, "application/json")).toEqual(ENVELOPE);
    expect(await ask(path, "application/problem+json")).toEqual(ENVELOPE);
    expect(await ask(path, "*/*")).toBeNull();
  });

  it.each(FILES)("reaches %s, which answers for itself", async (path) => {
    expect(await ask(path, "application/json")).toBeNull();
  });
});

it.each([...UNKNOWN, ...PAGES])("a browser passes to %s, and is shown a page", async (path) => {
  expect(await ask(path, BROWSER)).toBeNull();
  expect(await ask(path, `application/json, ${BROWSER}`)).toBeNull();
  expect(await ask(path, "text/x-component", "POST")).toBeNull();
});
