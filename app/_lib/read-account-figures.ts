import "server-only";
import { cache } from "react";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { AppError } from "@/lib/errors";
import { readPortfolio } from "@/lib/portfolio/get-portfolio";
import { summarize } from "@/lib/portfolio/get-summary";
import { AccountSummary } from "@/lib/schemas/dashboard";
import { getDataTime, withStaleReads } from "@/lib/stale-reads";

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

/** Returns null during a venue outage without a known summary. The pages show the outage. */
export async function readSummary(principal: Principal) {
  try {
    const read = await readAccountFigures(principal);
    if (!read.isKnown) return null;
    return { data: z.encode(AccountSummary, read.value.summary), at: getDataTime(read.outage) };
  } catch (error) {
    if (error instanceof AppError && principal.mode === "live") return null;
    throw error;
  }
}
