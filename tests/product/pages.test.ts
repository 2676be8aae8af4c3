import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import {
  cleanUpAfterwards,
  readData,
  demoKey,
  type Product,
  readDemo,
  send,
  startPrepared,
} from "@/tests/support/product/product";

cleanUpAfterwards();

let product: Product;
const get = (path: string, key?: string) => send(product.port, { method: "GET", path, key });

beforeAll(async () => {
  product = await startPrepared();
});

it("a dashboard page without a session redirects to the sign-in page, which redirects back", async () => {
  for (const path of ["/", "/orders", "/orders/ord_1", "/trade?token=1", "/markets/x", "/status"]) {
    const page = await get(path);
    expect(page.status, path).toBe(303);
    const next = path === "/" ? "" : `?next=${encodeURIComponent(path)}`;
    expect(page.headers.location, path).toBe(`/sign-in${next}`);
  }
  const withBadCookie = await send(product.port, {
    method: "GET",
    path: "/orders",
    headers: { cookie: "next-auth.session-token=forged" },
  });
  expect(withBadCookie.status).toBe(307);
  expect(withBadCookie.headers.location).toBe("/sign-in?next=%2Forders&ended=session");
});

it("the sign-in page is HTML, its files load, and none comes from another origin", async () => {
  const page = await get("/sign-in");
  expect(page.status).toBe(200);
  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(page.text).toMatch(/^<!DOCTYPE html>.*<h1[^>]*>Sign in<\/h1>.*<\/html>$/s);
  const links = [...page.text.matchAll(/<(?:link|script|img)[^>]+(?:href|src)="([^"]+)"/g)];
  const paths = links.map(([, path]) => path ?? "");
  expect(paths.length).toBeGreaterThan(0);
  for (const path of paths) {
    expect(path).toMatch(/^\/(?!\/)/);
    const file = await get(path);
    expect(file.status, path).toBe(200);
    expect(file.headers["content-type"], path).toMatch(
      /^(text\/css|application\/javascript|image\/svg\+xml|font\/woff2)/,
    );
  }
  const { apiKey, password, email } = readDemo(product.dataDir);
  for (const secret of [apiKey, password, email]) expect(page.text).not.toContain(secret);
});

it("a page has a policy that allows only its own scripts and no framing", async () => {
  const policies = new Set<string>();
  for (const path of ["/sign-in", "/sign-up", "/sign-in"]) {
    const page = await get(path);
    const policy = String(page.headers["content-security-policy"]);
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    expect(nonce.length).toBeGreaterThan(20);
    expect(policy).not.toMatch(/unsafe-(inline|eval)/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers["x-content-type-options"]).toBe("nosniff");
    for (const [script] of page.text.matchAll(/<script[^>]*>/g)) {
      expect(script).toContain(`nonce="${nonce}"`);
    }
    expect(page.text).not.toMatch(/ style="/);
    policies.add(policy);
  }
  expect(policies.size).toBe(3);
});

it("an unknown page returns a 404 page", async () => {
  for (const path of ["/nowhere", "/orders-of-nobody/x", "/v2/orders", "/_next/static/none.js"]) {
    const page = await get(path);
    expect(page.status, path).toBe(404);
  }
  const headers = { accept: "text/html" };
  const page = await send(product.port, { method: "GET", path: "/nowhere", headers });
  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(page.text).toContain("find that page");
});

it("a page path that cannot be decoded returns 400", async () => {
  const page = await get("/nowhere/%ff");
  expect(page.status).toBe(400);
  expect((await get("/health")).status).toBe(200);
});

it("every market icon is an SVG", async () => {
  const markets = await get("/v1/markets?limit=100", demoKey(product));
  const { markets: list } = readData<{ markets: { iconUrl: string }[] }>(markets);
  const urls = [...new Set(list.map(({ iconUrl }) => iconUrl))];
  expect(urls.length).toBeGreaterThan(5);
  for (const url of urls) {
    const { origin, pathname } = new URL(url);
    expect(origin).toBe(`http://127.0.0.1:${product.port}`);
    const icon = await get(pathname);
    expect(icon.status, url).toBe(200);
    expect(icon.headers["content-type"]).toMatch(/^image\/svg\+xml/);
    expect(icon.text).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg".*<\/svg>\s*$/s);
  }
  expect((await get("/icons/none.svg")).status).toBe(404);
  expect((await get("/icons/..%2f..%2fpackage.json")).status).toBe(404);
});

it("the files of public are served with the headers of pages", async () => {
  const robots = await get("/robots.txt");
  expect([robots.status, robots.text]).toEqual([200, readFileSync("public/robots.txt", "utf8")]);
  expect(robots.headers["content-type"]).toMatch(/^text\/plain/);
  const icon = await get("/icon.svg");
  expect([icon.status, icon.text]).toEqual([200, readFileSync("public/icon.svg", "utf8")]);
  expect(icon.headers["content-type"]).toMatch(/^image\/svg\+xml/);
  for (const file of [robots, icon]) {
    expect(file.headers["x-content-type-options"]).toBe("nosniff");
    expect(file.headers["cache-control"]).toMatch(/^public, max-age=0/);
    expect(file.headers["content-security-policy"]).toContain("default-src 'self'");
  }
});
