import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { z } from "zod";
import type { LoadedMarket } from "@/app/(dashboard)/markets/[slug]/load";
import { Outcome } from "@/app/(dashboard)/markets/[slug]/outcome";
import { findMarketPage } from "@/lib/markets/get-market-page";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { MarketDetail } from "@/lib/schemas/markets";
import { shares } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  freshMarket,
  getToken,
  MINUTE,
  place,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();

const SIZE = shares(20_000_000n);

/** Renders the banner of a resolved market as text without the dots of hidden values. */
async function readBanner(
  { principal }: TestUser,
  slug: string,
  { isPaid = false, problem = undefined as string | undefined } = {},
): Promise<string> {
  const found = await findMarketPage(principal, slug, undefined);
  if (!found) throw new Error("the market has a page");
  const detail = z.encode(MarketDetail, found.detail);
  const loaded = { detail, session: { principal } } as LoadedMarket;
  return renderToStaticMarkup(await Outcome({ loaded, claim: { isPaid, problem } }))
    .replace(/<[^>]+>/g, "")
    .replaceAll("••••", "");
}

it("the banner of a resolved market says what was held and paid after the claims", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const market = freshMarket({ closesAfter: MINUTE, closesWithin: 120 * MINUTE, inside: 0 });
  for (const outcome of [0, 1] as const)
    await place(user, { market, action: "BUY", outcome, size: SIZE });
  clock.set(market.resolvesAt + MINUTE);
  const unclaimed = await readBanner(user, market.slug);
  expect(unclaimed).toContain("Claim $20.00");
  expect(unclaimed).not.toContain("The claim failed");
  const failed = await readBanner(user, market.slug, { problem: "TRADING_FROZEN" });
  expect(failed).toContain("The claim failed. ");
  // An old address must not say that a claim was paid.
  expect(await readBanner(user, market.slug, { isPaid: true })).not.toContain("Claimed");

  for (const outcome of [0, 1] as const)
    await redeemPosition(user.principal, getToken(market, outcome));
  const banner = await readBanner(user, market.slug);
  expect(banner).not.toContain("Claimed");
  expect(await readBanner(user, market.slug, { isPaid: true })).toContain(
    "Claimed $20.00 · Resolved:",
  );
  const sentences = [
    ...banner.matchAll(
      /You held 20 (.+?) and were paid (nothing|\$20\.00)\. Your buys cost \$([\d.]+) with fees, so you (lost|made) \$([\d.]+)\./g,
    ),
  ].map(([, name, paid, cost, result, cents]) => ({ name, paid, cost, result, cents }));
  expect(sentences.map(({ name }) => name)).toEqual(market.outcomes.map(({ name }) => name));
  const won = sentences.find(({ paid }) => paid === "$20.00");
  const lost = sentences.find(({ paid }) => paid === "nothing");
  expect(won).toMatchObject({ result: "made" });
  // Before the claim, one sentence is of both sides, and after it there is a line of both.
  const [, cost, net] =
    /Your buys cost \$([\d.]+) with fees, so you lost \$([\d.]+)\./.exec(unclaimed) ?? [];
  expect(Math.abs(Number(won?.cost) + Number(lost?.cost) - Number(cost))).toBeLessThan(0.011);
  expect(banner).toContain(`In all, you lost $${net}.`);
  // Each figure is rounded by itself.
  expect(Math.abs(20 - Number(won?.cost) - Number(won?.cents))).toBeLessThan(0.011);
  expect(lost).toMatchObject({ result: "lost", cents: lost?.cost });
  expect(await readBanner(other, market.slug)).toContain("You held no shares");
});
