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
async function readBanner({ principal }: TestUser, slug: string): Promise<string> {
  const found = await findMarketPage(principal, slug, undefined);
  if (!found) throw new Error("the market has a page");
  const detail = z.encode(MarketDetail, found.detail);
  const loaded = { detail, session: { principal } } as LoadedMarket;
  return renderToStaticMarkup(await Outcome({ loaded }))
    .replace(/<[^>]+>/g, "")
    .replaceAll("••••", "");
}

it("the banner of a resolved market says what was held and paid after the claims", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const market = freshMarket({ closesAfter: MINUTE, closesWithin: 120 * MINUTE, inside: 0 });
  for (const outcome of [0, 1] as const)
    await place(user, { market, action: "BUY", outcome, size: SIZE });
  clock.set(market.resolvesAt + MINUTE);
  expect(await readBanner(user, market.slug)).toContain("Claim $20.00");

  for (const outcome of [0, 1] as const)
    await redeemPosition(user.principal, getToken(market, outcome));
  const banner = await readBanner(user, market.slug);
  const [first, second] = market.outcomes.map(({ name }) => `You held 20 ${name} and were paid `);
  expect([`${first}$20.00.${second}nothing.`, `${first}nothing.${second}$20.00.`]).toContain(
    banner.slice(banner.indexOf("You held")),
  );
  expect(await readBanner(other, market.slug)).toContain("You held no shares");
});
