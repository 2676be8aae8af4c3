import "server-only";
import { z } from "zod";
import { readAccountFigures } from "@/app/_lib/read-account-figures";
import type { Principal } from "@/lib/auth/principal";
import { Portfolio } from "@/lib/schemas/account";

/** Returns the account's positions; null during a venue outage without known positions. */
export async function showPositions(
  principal: Principal,
): Promise<z.input<typeof Portfolio>["positions"] | null> {
  const read = await readAccountFigures(principal);
  return read.isKnown ? z.encode(Portfolio, read.value.portfolio).positions : null;
}
