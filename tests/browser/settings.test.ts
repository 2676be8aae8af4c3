// The sections of the settings on a wide screen and on a phone, and the browser's time zone.
import type { Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import { TIME_ZONE_COOKIE } from "@/lib/browser/cookies";
import {
  closeBrowserAfterwards,
  sidewaysScroll,
  signIn,
  visit,
  type Visitor,
  type VisitOptions,
} from "@/tests/support/browser/browser";
import { DESKTOP, PHONE } from "@/tests/support/browser/pages";
import {
  cleanUpAfterwards,
  preparedDataDir,
  type Product,
  type SeededUser,
  seedUsers,
  startProduct,
} from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();

let product: Product;
let user: SeededUser;

beforeAll(async () => {
  const dataDir = preparedDataDir();
  [user] = (await seedUsers({ DATA_DIR: dataDir }, 1, "1000")) as [SeededUser];
  product = await startProduct({ dataDir });
});

async function signedIn(options: VisitOptions): Promise<Visitor> {
  const visitor = await visit(product.port, options);
  await signIn(visitor, user);
  return visitor;
}

async function open(section: string, screen: typeof DESKTOP | typeof PHONE): Promise<Page> {
  const { page } = await signedIn({ ...screen, javaScriptEnabled: false });
  await page.goto(`/settings?section=${section}`);
  return page;
}

const LIMITS = "Limits of this paper account";
const FREEZES = ["Freeze this paper account", "Freeze everything"];

it("limits come before freezes, and after them while something is frozen", async () => {
  const page = await open("limits", PHONE);
  const listCards = () =>
    page.getByRole("main").getByRole("heading", { level: 2 }).allTextContents();
  expect(await listCards()).toEqual([LIMITS, ...FREEZES]);
  await page.getByRole("button", { name: "Freeze this account" }).click();
  await page.getByText(/^Frozen since/).waitFor();
  expect(await listCards()).toEqual([...FREEZES, LIMITS]);
  await page.getByLabel("Your Ante password").fill(user.password);
  await page.getByRole("button", { name: "Thaw this account" }).click();
  await page.getByText("is thawed and can trade again").waitFor();
  expect(await listCards()).toEqual([LIMITS, ...FREEZES]);
});

it("limits are in pairs on a phone, and one below the other on a narrower screen", async () => {
  const page = await open("limits", PHONE);
  const listLefts = async () => {
    const fields = ["Per order in dollars", "Per day in dollars"].map((name) =>
      page.getByLabel(name, { exact: true }).boundingBox(),
    );
    return (await Promise.all(fields)).map((box) => box?.x);
  };
  const [left, right] = await listLefts();
  expect(right).toBeGreaterThan(left ?? Number.POSITIVE_INFINITY);
  await page.setViewportSize({ width: 320, height: 800 });
  const [first, second] = await listLefts();
  expect(second).toBe(first);
  expect(await sidewaysScroll(page)).toBe(0);
});

it("the card of the browsers is as high as its content, also beside the list of sections", async () => {
  const page = await open("sessions", DESKTOP);
  const card = page.locator("section.card", { hasText: "Signed-in browsers" });
  const [frame, list] = [
    await card.boundingBox(),
    await card.getByRole("listitem").last().boundingBox(),
  ];
  if (!frame || !list) throw new Error("the browsers are shown");
  expect(frame.y + frame.height - (list.y + list.height)).toBeLessThan(100);
});

it("the card of the browsers says which one this is, and what signing out a browser ends", async () => {
  const page = await open("sessions", PHONE);
  const card = page.locator("section.card", { hasText: "Signed-in browsers" });
  expect(await card.getByText("This browser").count()).toBe(1);
  expect(await card.getByText("Signing out a browser takes effect at once").count()).toBe(1);
});

it("a browser whose time zone the server doesn't know sees its own times without another visit", async () => {
  const { context, page } = await signedIn(DESKTOP);
  await context.clearCookies({ name: TIME_ZONE_COOKIE });
  await page.goto("/activity");
  await page.getByText("Times in Berlin time.").waitFor();
  const [cookie] = (await context.cookies()).filter(({ name }) => name === TIME_ZONE_COOKIE);
  expect(cookie).toMatchObject({ value: "Europe%2FBerlin" });
});
