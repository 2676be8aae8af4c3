// A real browser on the built product. Journeys find elements by role and label.
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
import { TIME_ZONE_COOKIE } from "@/lib/browser/cookies";

/** Chromium as root, without background requests, which a closed network rejects. */
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

/** One browser per text size of its settings, in pixels. */
const browsers = new Map<number, Promise<Browser>>();
const USUAL_TEXT_SIZE = 16;
/** How long a wait or a visit may take. On a busy machine, a page has needed more than Playwright's 30 s. */
const WAIT_MS = 90_000;
const contexts: BrowserContext[] = [];
/** Visitors' time zone. */
const ZONE = "Europe/Berlin";

/** Closes the browser after the file's tests. */
export function closeBrowserAfterwards(): void {
  afterAll(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    await Promise.all([...browsers.values()].map(async (browser) => (await browser).close()));
    browsers.clear();
  });
}

export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** The pages' console errors, thrown errors and CSP violations. */
  complaints: string[];
}

/** A visitor's options, with the text size of the browser's settings. */
export type VisitOptions = BrowserContextOptions & { textSize?: number };

function launch(textSize: number): Promise<Browser> {
  const executablePath = env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
  const args = [...FLAGS, `--blink-settings=defaultFontSize=${textSize}`];
  const browser = browsers.get(textSize) ?? chromium.launch({ executablePath, args });
  browsers.set(textSize, browser);
  return browser;
}

/** Waits until React has hydrated all controls of a page. Pages without React have nothing to wait for. */
async function waitForReact(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    if (!document.querySelector('script[src*="/_next/static/"]')) return true;
    // React leaves the hidden fields that it adds to a form without JavaScript as they are.
    const controls = "body, a, button, input:not([type=hidden]), select, textarea, summary";
    return [...document.querySelectorAll(controls)].every((one) =>
      Object.keys(one).some((key) => key.startsWith("__react")),
    );
  });
}

/**
 * Has `goto` and `reload` wait for React. Before it has hydrated a link or a button, a press does what it
 * does without JavaScript, and keys do nothing.
 */
function waitForReactOnLoads(page: Page): void {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  page.goto = async (...options) => {
    const response = await goto(...options);
    await waitForReact(page);
    return response;
  };
  page.reload = async (...options) => {
    const response = await reload(...options);
    await waitForReact(page);
    return response;
  };
}

/**
 * Opens a new browser profile with a fixed time zone, motion and size by default. Its pages are loaded
 * once they are hydrated.
 */
export async function visit(
  port: number,
  { textSize = USUAL_TEXT_SIZE, ...options }: VisitOptions = {},
): Promise<Visitor> {
  const browser = await launch(textSize);
  const baseURL = `http://127.0.0.1:${port}`;
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    timezoneId: ZONE,
    locale: "en-US",
    ...options,
  });
  contexts.push(context);
  context.setDefaultTimeout(WAIT_MS);
  if (options.javaScriptEnabled !== false) {
    context.on("page", waitForReactOnLoads);
    // As after the sign-in page, whose script tells the server the time zone.
    const value = encodeURIComponent(ZONE);
    await context.addCookies([{ name: TIME_ZONE_COOKIE, value, url: baseURL }]);
  }
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

/** Signs in with next-auth's routes. */
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

/** Returns the page's violations of WCAG 2.2 AA and of axe's best practices as lines. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // Without frames, the legacy mode is enough and saves axe an extra page.
  expect(page.frames()).toHaveLength(1);
  const { violations, passes } = await new AxeBuilder({ page })
    // Listing the nodes of passed rules would take half of the time.
    .options({ resultTypes: ["violations"] })
    .withTags([...AXE_TAGS])
    .setLegacyMode()
    .analyze();
  // A run without checks must not pass.
  expect(passes.length).toBeGreaterThan(5);
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
}

/** Returns the pixels by which the page can be scrolled sideways. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

/** Returns texts that end in the middle without an ellipsis. */
export function cutTexts(page: Page): Promise<string[]> {
  return page.locator("main *").evaluateAll((all) => {
    const isCut = (element: Element) => {
      const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(element);
      // Texts for screen readers are a pixel wide.
      if (element.clientWidth <= 1 || !element.checkVisibility()) return false;
      if (overflowX !== "hidden" && overflowX !== "clip") return false;
      if (textOverflow === "ellipsis" || webkitLineClamp !== "none") return false;
      return element.scrollWidth > element.clientWidth + 1;
    };
    const texts = all.filter(isCut).map((element) => element.textContent ?? "");
    return texts.filter((text) => text !== "").map((text) => text.slice(0, 60));
  });
}
