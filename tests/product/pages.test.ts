import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { PAGES } from "@/tests/support/authorization/table";
import {
  cleanUpAfterwards,
  readData,
  demoKey,
  preparedDataDir,
  type Product,
  readDemo,
  type SeededUser,
  seedUsers,
  send,
  startPrepared,
} from "@/tests/support/product/product";
import { signIn } from "@/tests/support/product/session";

cleanUpAfterwards();

let product: Product;
const get = (path: string, key?: string) => send(product.port, { method: "GET", path, key });

/** The demo account is shared, so it lacks sections of the settings. */
let user: SeededUser;

beforeAll(async () => {
  const dataDir = preparedDataDir();
  const [seeded] = await seedUsers({ DATA_DIR: dataDir }, 1, "1000");
  user = seeded ?? expect.fail("a user was seeded");
  product = await startPrepared({ dataDir });
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
      /^(text\/css|application\/javascript|application\/manifest\+json|image\/|font\/woff2)/,
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
  expect(page.text).toContain('href="/sign-in"');
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
  // The pages that the share image is for.
  expect(robots.text).toContain("Allow: /$\nAllow: /sign-in\n");
  expect(robots.headers["content-type"]).toMatch(/^text\/plain/);
  const icon = await get("/icon.svg");
  expect([icon.status, icon.text]).toEqual([200, readFileSync("public/icon.svg", "utf8")]);
  expect(icon.headers["content-type"]).toMatch(/^image\/svg\+xml/);
  const worker = await get("/sw.js");
  expect([worker.status, worker.text]).toEqual([200, readFileSync("public/sw.js", "utf8")]);
  expect(worker.headers["content-type"]).toMatch(/^(?:application|text)\/javascript/);
  for (const file of [robots, icon, worker]) {
    expect(file.headers["x-content-type-options"]).toBe("nosniff");
    expect(file.headers["cache-control"]).toMatch(/^public, max-age=0/);
    expect(file.headers["content-security-policy"]).toContain("default-src 'self'");
  }
});

it("icons, manifest and share image are served without a session, as the pages name them", async () => {
  const { text } = await get("/sign-in");
  const named = (tag: RegExp) => [...text.matchAll(tag)].map(([, value = ""]) => value);
  const icons = named(/<link rel="(?:apple-touch-)?icon" href="([^"?]+)/g);
  expect(icons).toEqual(["/favicon.ico", "/icon.svg", "/apple-touch-icon.png"]);
  expect(named(/<link rel="manifest" href="([^"]+)/g)).toEqual(["/manifest.webmanifest"]);
  const image = `http://127.0.0.1:${product.port}/brand/share.png`;
  expect(named(/<meta property="og:image" content="([^"]+)/g)).toEqual([image]);
  expect(named(/<meta name="twitter:image" content="([^"]+)/g)).toEqual([image]);
  expect(named(/<meta name="twitter:card" content="([^"]+)/g)).toEqual(["summary_large_image"]);

  const manifest = await get("/manifest.webmanifest");
  expect(manifest.headers["content-type"]).toMatch(/^application\/manifest\+json/);
  const { icons: listed } = JSON.parse(manifest.text) as {
    icons: { src: string; sizes: string; type: string }[];
  };
  for (const { src, type } of listed) {
    const icon = await get(src);
    expect([icon.status, icon.headers["content-type"]], src).toEqual([200, type]);
  }
  for (const path of ["/favicon.ico", "/apple-touch-icon.png", "/brand/share.png"]) {
    const file = await get(path);
    expect(file.status, path).toBe(200);
    expect(file.headers["content-type"], path).toMatch(
      /^image\/(?:png|x-icon|vnd\.microsoft\.icon)$/,
    );
    expect(file.headers["cache-control"], path).toBe("public, max-age=86400");
  }
});

it.each([
  ["favicon.ico", 22, 32, 32],
  ["apple-touch-icon.png", 0, 180, 180],
  ["brand/icon-192.png", 0, 192, 192],
  ["brand/icon-512.png", 0, 512, 512],
  ["brand/icon-maskable-512.png", 0, 512, 512],
  ["brand/share.png", 0, 1200, 630],
])("%s has the size that it is declared with", (name, start, width, height) => {
  const png = readFileSync(`public/${name}`).subarray(start);
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([width, height]);
  expect(png.length).toBeLessThan(100_000);
});

/** Every name that a page reads from its query, so that each page gets some that it uses. */
const QUERY_NAMES =
  `action after amount before canceled created cursor direction done factor from id key
  market mode month next order outcome page price problem q range revoked saved shares show sort status tab to
  token type`.split(/\s+/);
const SECTIONS = [
  "trading",
  "limits",
  "display",
  "region",
  "notifications",
  "sessions",
  "security",
];

it.each(["\0", "a\0b", "constructor", "__proto__"])(
  "no page fails if its query has %j everywhere",
  async (value) => {
    const cookie = await signIn(product.port, user);
    const query = new URLSearchParams(QUERY_NAMES.map((name) => [name, value])).toString();
    const pages = Object.keys(PAGES).filter((path) => !path.includes("["));
    const sections = SECTIONS.map((section) => `/settings?section=${section}`);
    const failed: string[] = [];
    for (const path of [...pages, ...sections]) {
      const address = `${path}${path.includes("?") ? "&" : "?"}${query}`;
      const page = await send(product.port, { method: "GET", path: address, headers: { cookie } });
      if (page.status >= 500) failed.push(`${path}: ${page.status}`);
    }
    expect(failed).toEqual([]);
  },
);
