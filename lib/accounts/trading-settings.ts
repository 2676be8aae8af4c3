import "server-only";
import { getDb } from "@/lib/db/client";
import { mergeTradingSettings, selectTradingSettings } from "@/lib/db/queries/settings";
import { TradingSettings } from "@/lib/schemas/settings";

/** Returns the user's trading settings, or the defaults. */
export async function getTradingSettings(userId: string): Promise<TradingSettings> {
  return TradingSettings.parse((await selectTradingSettings(await getDb(), userId)) ?? {});
}

/** Saves the given settings. The others stay as they are. */
export async function saveTradingSettings(
  userId: string,
  settings: Partial<TradingSettings>,
): Promise<void> {
  await mergeTradingSettings(await getDb(), userId, settings);
}
