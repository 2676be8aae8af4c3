import "server-only";
import { getDb } from "@/lib/db/client";
import { selectTradingSettings, upsertTradingSettings } from "@/lib/db/queries/settings";
import { TradingSettings } from "@/lib/schemas/settings";

/** Returns the user's trading settings, or the defaults. */
export async function getTradingSettings(userId: string): Promise<TradingSettings> {
  return TradingSettings.parse((await selectTradingSettings(await getDb(), userId)) ?? {});
}

export async function saveTradingSettings(
  userId: string,
  settings: TradingSettings,
): Promise<void> {
  await upsertTradingSettings(await getDb(), userId, settings);
}
