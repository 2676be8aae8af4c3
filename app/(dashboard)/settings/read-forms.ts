import "server-only";
import { readText } from "@/app/_lib/action";
import { findTimeZone } from "@/lib/domain/time-zones";
import { AppError } from "@/lib/errors";
import { DisplaySettings, TradingSettings } from "@/lib/schemas/settings";

/** Parses the trading form. Throws for invalid typed text. Other invalid values get their default. */
export function readTradingForm(form: FormData): TradingSettings {
  return TradingSettings.parse({
    reviewOrders: form.has("reviewOrders"),
    defaultOrderType: readText(form, "defaultOrderType"),
    priceProtectionCents: readWhole(form, "priceProtectionCents", {
      most: 20,
      problem: "Enter whole cents from 1 to 20.",
    }),
    quickAmounts: ["quickAmount1", "quickAmount2", "quickAmount3"].map((name) =>
      readWhole(form, name, { most: 1_000_000, problem: "Enter whole dollars, like 25." }),
    ),
  });
}

const LOOK = { theme: true, direction: true, density: true, liveUpdates: true } as const;

/** Parses the display form. Invalid values get their default. */
export function readDisplayForm(form: FormData): Partial<DisplaySettings> {
  return {
    ...DisplaySettings.pick(LOOK).parse(Object.fromEntries(form)),
    hideValues: form.has("hideValues"),
    shortcuts: form.has("shortcuts"),
  };
}

export function readRegionForm(form: FormData): Pick<DisplaySettings, "timeZone" | "hour12"> {
  const named = readText(form, "timeZone");
  const timeZone = named === "auto" ? named : findTimeZone(named);
  if (timeZone === null) {
    throw new AppError("VALIDATION_ERROR", "Choose a time zone from the list.", {
      field: "timeZone",
    });
  }
  return { timeZone, hour12: readText(form, "clock") === "12" };
}

function readWhole(
  form: FormData,
  field: string,
  { most, problem }: { most: number; problem: string },
): number {
  const text = readText(form, field).trim();
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw new AppError("VALIDATION_ERROR", problem, { field });
  return value;
}
