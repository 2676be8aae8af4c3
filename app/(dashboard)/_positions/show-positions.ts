import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { Portfolio } from "@/lib/schemas/account";
import { getPortfolio } from "@/lib/services/portfolio/get-portfolio";
import { showing } from "@/lib/showing";

/** What the account holds, or null while the venue keeps it to itself. */
export async function showPositions(
  principal: Principal,
): Promise<z.input<typeof Portfolio>["positions"] | null> {
  const shown = await showing(() => getPortfolio(principal));
  return shown.isKnown ? z.encode(Portfolio, shown.value).positions : null;
}
