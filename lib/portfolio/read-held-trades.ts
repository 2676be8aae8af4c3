import "server-only";
import type { z } from "zod";
import { requireAccount } from "@/lib/accounts/require-account";
import type { Principal } from "@/lib/auth/principal";
import { withSnapshot } from "@/lib/db/client";
import { selectHeldSums } from "@/lib/db/queries/closed-positions";
import type { TradedSums } from "@/lib/schemas/portfolio";

/**
 * Returns the trades of held positions since the account had no shares, by token. Empty in live mode, where
 * the wallet may also trade outside of Ante.
 */
export async function readHeldTrades(
  principal: Principal,
  tokenIds: readonly string[],
): Promise<ReadonlyMap<string, z.output<typeof TradedSums>>> {
  if (principal.mode === "live") return new Map();
  const sums = await withSnapshot(async (tx) =>
    selectHeldSums(tx, await requireAccount(tx, principal), tokenIds),
  );
  return new Map(
    [...sums].map(([tokenId, { bought, received, fees }]) => [
      tokenId,
      { boughtUsdc: bought, receivedUsdc: received, fees },
    ]),
  );
}
