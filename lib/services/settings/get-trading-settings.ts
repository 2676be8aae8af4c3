import "server-only";
import { getDb } from "@/lib/db/client";
import { selectTradingSettings } from "@/lib/db/queries/settings";
import { TradingSettings } from "@/lib/schemas/settings";

/** What the user's orders start from; the defaults until something was chosen. */
export async function getTradingSettings(userId: string): Promise<TradingSettings> {
  return TradingSettings.parse((await selectTradingSettings(await getDb(), userId)) ?? {});
}
