// The size and time of dashboard pages, compared with the design's budgets.
import { gzipSync } from "node:zlib";
import { computeMedian } from "@/bench/measure";
import { NO_FIGURES, report } from "@/bench/results";
import { pick } from "@/bench/orders";
import type { Stage } from "@/bench/stage";

const KB = 1024;
const STYLES_KB = 20;
const HTML_KB = 60;
const TTFB_MS = 800;
const VISITS = 5;

/** Pages with the kilobytes of script they may load, gzipped. */
const BUDGETS: readonly [string, number][] = [
  ["/sign-in", 160],
  ["/docs", 160],
  ["/docs/orders", 160],
  ["/", 185],
  ["/orders", 185],
  ["/markets", 185],
  ["/activity", 185],
  ["/keys", 185],
  ["/settings", 185],
  ["/wallet", 185],
  ["/trade", 185],
];

interface Seen {
  name: string;
  scriptKb: number;
  htmlKb: number;
  milliseconds: number;
}

export async function measurePages({ one, onPostgres }: Stage): Promise<void> {
  const origin = `http://127.0.0.1:${one.port}`;
  const { email, password, apiKey } = pick(onPostgres.readers, 0);
  const visitor = new Visitor(origin);
  await visitor.signIn(email, password);
  const slug = await visitor.findMarket(apiKey);
  const pages: [string, string, number][] = BUDGETS.map(([path, budget]) => [path, path, budget]);
  pages.push(["/markets/{market}", `/markets/${slug}`, 205]);
  const styles = new Set<string>();
  const seen: Seen[] = [];
  for (const [name, path, budget] of pages) {
    // The sign-in page redirects signed-in users.
    const guest = name === "/sign-in" ? new Visitor(origin) : visitor;
    const page = { name, ...(await visitPage(guest, path, styles)) };
    reportBudget("first-load JavaScript (kB, gzip)", name, page.scriptKb, budget);
    seen.push(page);
  }
  const heaviest = findMost(seen, ({ htmlKb }) => htmlKb);
  reportBudget("page HTML, the largest (kB, gzip)", heaviest.name, heaviest.htmlKb, HTML_KB);
  const slowest = findMost(seen, ({ milliseconds }) => milliseconds);
  reportBudget("page, the slowest response", slowest.name, slowest.milliseconds, TTFB_MS, "ms");
  const styleKb = (await visitor.measureGzipped(styles)) / KB;
  reportBudget("style sheets (kB, gzip)", "all pages", styleKb, STYLES_KB);
}

const findMost = (seen: readonly Seen[], figure: (page: Seen) => number): Seen =>
  pick(
    seen.toSorted((a, b) => figure(b) - figure(a)),
    0,
  );

/** Visits a page several times. Adds its style sheets to `styles`. */
async function visitPage(
  visitor: Visitor,
  path: string,
  styles: Set<string>,
): Promise<Omit<Seen, "name">> {
  const times: number[] = [];
  let html = "";
  for (let visit = 0; visit < VISITS; visit += 1) {
    const startedAt = performance.now();
    html = await visitor.read(path);
    times.push(performance.now() - startedAt);
  }
  const scripts = [...html.matchAll(/<script\b[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => !/nomodule/i.test(tag))
    .flatMap((tag) => /\bsrc="([^"]+)"/.exec(tag)?.[1] ?? []);
  for (const [, href] of html.matchAll(/<link[^>]+rel="stylesheet"[^>]+href="([^"]+)"/g)) {
    if (href !== undefined) styles.add(href);
  }
  return {
    scriptKb: (await visitor.measureGzipped(new Set(scripts))) / KB,
    htmlKb: gzipSync(html).length / KB,
    milliseconds: computeMedian(times) ?? Number.NaN,
  };
}

function reportBudget(
  name: string,
  candidate: string,
  value: number,
  budget: number,
  unit = "kB",
): void {
  const target = `≤ ${budget} ${unit}`;
  const ratio = value / budget;
  report({ ...NO_FIGURES, name, candidate, median: value, ratio, target, met: value <= budget });
}

/** A minimal browser with cookies. */
class Visitor {
  readonly #cookies = new Map<string, string>();

  constructor(readonly origin: string) {}

  async signIn(email: string, password: string): Promise<void> {
    const { csrfToken } = JSON.parse(await this.read("/api/auth/csrf")) as { csrfToken: string };
    const form = new URLSearchParams({ csrfToken, email, password, json: "true" });
    const answer = await this.#ask("/api/auth/callback/credentials", {
      method: "POST",
      body: form,
    });
    if (answer.status >= 400) throw new Error(`signing in returned ${answer.status}`);
  }

  /** Reads a page. Throws unless the status is 200. */
  async read(path: string): Promise<string> {
    const answer = await this.#ask(path, {});
    if (answer.status !== 200) throw new Error(`${path} returned ${answer.status}`);
    return answer.text();
  }

  async findMarket(apiKey: string): Promise<string> {
    const answer = await fetch(`${this.origin}/v1/markets?limit=1`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const { data } = (await answer.json()) as {
      data: { markets: { slug: string }[] };
    };
    return pick(data.markets, 0).slug;
  }

  async measureGzipped(paths: ReadonlySet<string>): Promise<number> {
    let bytes = 0;
    for (const path of paths) {
      const answer = await this.#ask(path, {});
      bytes += gzipSync(Buffer.from(await answer.arrayBuffer())).length;
    }
    return bytes;
  }

  async #ask(path: string, options: RequestInit): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { cookie, origin: this.origin };
    const answer = await fetch(this.origin + path, { ...options, headers, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) this.#cookies.set(name, value);
    }
    return answer;
  }
}
