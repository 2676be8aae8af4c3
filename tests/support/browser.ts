// A real browser on the built product. Journeys find things by role and label, as people do.
import { AxeBuilder } from "@axe-core/playwright";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright";
import { afterAll, expect } from "vitest";
import { env } from "node:process";

/** Debian's Chromium as root, without its calls home, which a closed network only refuses. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] as const;

let browser: Promise<Browser> | undefined;
const contexts: BrowserContext[] = [];

/** Closes the browser when the file is done. */
export function closeBrowserAfterwards(): void {
  afterAll(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    await (await browser)?.close();
    browser = undefined;
  });
}

export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** What the pages complained about: console errors, thrown errors, refused by the policy. */
  complaints: string[];
}

/** A browser profile of its own. Time zone, motion and size are fixed unless told otherwise. */
export async function visit(port: number, options: BrowserContextOptions = {}): Promise<Visitor> {
  const executablePath = env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
  browser ??= chromium.launch({ executablePath, args: FLAGS });
  const context = await (
    await browser
  ).newContext({
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    timezoneId: "Europe/Berlin",
    locale: "en-US",
    ...options,
  });
  contexts.push(context);
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (message.type() !== "error") return;
    complaints.push(`${message.text()} ${message.location().url}`.trim());
  });
  context.on("weberror", (error) => complaints.push(error.error().message));
  return { context, page: await context.newPage(), complaints };
}

interface Credentials {
  email: string;
  password: string;
}

/** Signs in by next-auth's own routes, as the operating contract describes them. */
export async function signIn(
  { context }: Visitor,
  { email, password }: Credentials,
): Promise<void> {
  const csrf = await context.request.get("/api/auth/csrf");
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const answer = await context.request.post("/api/auth/callback/credentials", {
    form: { csrfToken, email, password, json: "true" },
  });
  expect(answer.status()).toBe(200);
}

/** Violations of WCAG 2.2 AA and of axe's best practices on the page as it is, as readable lines. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // Without frames there is nothing to gather from elsewhere, which takes axe a page of its own.
  expect(page.frames()).toHaveLength(1);
  const { violations, passes } = await new AxeBuilder({ page })
    // Of what passes only that it did: naming every node of it takes half of the time.
    .options({ resultTypes: ["violations"] })
    .withTags([...AXE_TAGS])
    .setLegacyMode()
    .analyze();
  // A run that checked nothing must not count as clean.
  expect(passes.length).toBeGreaterThan(5);
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
}

/** By how many pixels the page can be scrolled sideways. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}
