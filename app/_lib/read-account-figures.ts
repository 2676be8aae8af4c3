import "server-only";
import { cache } from "react";
import type { Principal } from "@/lib/auth/principal";
import { readPortfolio } from "@/lib/portfolio/get-portfolio";
import { summarize } from "@/lib/portfolio/get-summary";
import { withStaleReads } from "@/lib/stale-reads";

/**
 * Returns portfolio and summary of an account, read once per request, so that the top bar and the page
 * show the same figures.
 */
export const readAccountFigures = cache((principal: Principal) =>
  withStaleReads(async () => {
    const account = await readPortfolio(principal);
    return { portfolio: account.portfolio, summary: await summarize(principal, account) };
  }),
);
