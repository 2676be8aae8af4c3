import { expect, it } from "vitest";
import { getTradingSettings, saveTradingSettings } from "@/lib/accounts/trading-settings";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();

it("a saved setting leaves the user's other settings as they are", async () => {
  const { userId } = await makeUser();
  const settings = {
    reviewOrders: true,
    defaultOrderType: "limit" as const,
    priceProtectionCents: 7,
    quickAmounts: [5, 50, 500],
  };
  await saveTradingSettings(userId, settings);
  await saveTradingSettings(userId, { reviewOrders: false });
  expect(await getTradingSettings(userId)).toEqual({ ...settings, reviewOrders: false });
});

it("the first saved setting leaves the others at their defaults", async () => {
  const { userId } = await makeUser();
  const defaults = await getTradingSettings(userId);
  await saveTradingSettings(userId, { reviewOrders: false });
  expect(await getTradingSettings(userId)).toEqual({ ...defaults, reviewOrders: false });
});
