import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { Portfolio } from "@/lib/schemas/account";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { withStaleReads } from "@/lib/stale-reads";

/** Returns the account's positions; null during a venue outage without known positions. */
export async function showPositions(
  principal: Principal,
): Promise<z.input<typeof Portfolio>["positions"] | null> {
  const read = await withStaleReads(() => getPortfolio(principal));
  return read.isKnown ? z.encode(Portfolio, read.value).positions : null;
}
