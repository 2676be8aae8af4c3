import "server-only";
import { getDb } from "@/lib/db/client";
import { upsertTradingSettings } from "@/lib/db/queries/settings";
import type { TradingSettings } from "@/lib/schemas/settings";

export async function saveTradingSettings(
  userId: string,
  settings: TradingSettings,
): Promise<void> {
  await upsertTradingSettings(await getDb(), userId, settings);
}
