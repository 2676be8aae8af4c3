import "server-only";
import { getDb } from "@/lib/db/client";
import { sumReserved } from "@/lib/db/queries/reserved";
import type { Shares } from "@/lib/units";
import type { Market } from "@/lib/venue/port";
import type { WalletAction } from "@/lib/venue/wallet-relay";

/** Makes the action of a live split or merge, with what the user's unsettled orders reserve now. */
export async function makeSplitOrMerge(
  userId: string,
  { kind, market, shares }: { kind: "split" | "merge"; market: Market; shares: Shares },
): Promise<Extract<WalletAction, { kind: "split" | "merge" }>> {
  const db = await getDb();
  const account = { userId, mode: "live" } as const;
  const [first, second] = market.outcomes;
  const reserved = {
    cash: await sumReserved(db, account, null),
    shares: [
      await sumReserved(db, account, first.tokenId),
      await sumReserved(db, account, second.tokenId),
    ],
  } as const;
  return { kind, market, shares, reserved };
}
