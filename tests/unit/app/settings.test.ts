import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  readDisplayForm,
  readRegionForm,
  readTradingForm,
} from "@/app/(dashboard)/settings/read-forms";
import { AppError } from "@/lib/errors";
import { DisplaySettings, parseDisplaySettings, TradingSettings } from "@/lib/schemas/settings";

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

const DEFAULTS = DisplaySettings.parse({});
const anySettings = fc.record({
  theme: fc.constantFrom("system", "light", "dark"),
  direction: fc.constantFrom("default", "cvd", "inverted"),
  density: fc.constantFrom("comfortable", "compact"),
  hideValues: fc.boolean(),
  shortcuts: fc.boolean(),
  liveUpdates: fc.constantFrom("live", "slow", "paused"),
  timeZone: fc.constantFrom("auto", "UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires"),
  hour12: fc.boolean(),
  rail: fc.constantFrom("words", "icons"),
});

describe("the display cookie", () => {
  it("comes back as it was written, decoded by Next or as the browser sends it", () => {
    fc.assert(
      fc.property(anySettings, (settings) => {
        const text = JSON.stringify(settings);
        expect(parseDisplaySettings(text)).toEqual(settings);
        expect(parseDisplaySettings(encodeURIComponent(text))).toEqual(settings);
      }),
    );
  });

  it.each([undefined, "", "%", "{", "null", "[]", "7", '{"theme":"neon","hour12":"yes"}', "%7B%"])(
    "counts as the defaults where it is spoiled: %s",
    (cookie) => {
      expect(parseDisplaySettings(cookie)).toEqual(DEFAULTS);
    },
  );

  it("keeps what is right beside what is not", () => {
    expect(parseDisplaySettings('{"theme":"dark","density":7}')).toEqual({
      ...DEFAULTS,
      theme: "dark",
    });
  });
});

describe("the settings forms", () => {
  const trading = {
    reviewOrders: "on",
    defaultOrderType: "limit",
    priceProtectionCents: " 7 ",
    quickAmount1: "1",
    quickAmount2: "25",
    quickAmount3: "1000000",
  };

  it("read what was entered; an unchecked box is off", () => {
    const { reviewOrders: _, ...unchecked } = trading;
    const settings: TradingSettings = {
      reviewOrders: true,
      defaultOrderType: "limit",
      priceProtectionCents: 7,
      quickAmounts: [1, 25, 1_000_000],
    };
    expect(readTradingForm(formOf(trading))).toEqual(settings);
    expect(readTradingForm(formOf(unchecked))).toEqual({ ...settings, reviewOrders: false });
  });

  it.each([
    ["priceProtectionCents", "0"],
    ["priceProtectionCents", "21"],
    ["priceProtectionCents", "1.5"],
    ["priceProtectionCents", ""],
    ["quickAmount1", "0"],
    ["quickAmount2", "-5"],
    ["quickAmount3", "1000001"],
    ["quickAmount3", "1e3"],
  ])("refuse %s = %j, naming the field", (field, value) => {
    const problem = fieldOf(() => readTradingForm(formOf({ ...trading, [field]: value })));
    expect(problem).toBe(field);
  });

  it("read the display form; a value that is not on offer counts as its default", () => {
    expect(
      readDisplayForm(formOf({ theme: "dark", direction: "rainbow", shortcuts: "on" })),
    ).toEqual({
      theme: "dark",
      direction: "default",
      density: "comfortable",
      liveUpdates: "live",
      hideValues: false,
      shortcuts: true,
    });
  });

  it("take only time zones that exist", () => {
    expect(readRegionForm(formOf({ timeZone: "Asia/Tokyo", clock: "12" }))).toEqual({
      timeZone: "Asia/Tokyo",
      hour12: true,
    });
    expect(readRegionForm(formOf({ timeZone: "auto" }))).toEqual({
      timeZone: "auto",
      hour12: false,
    });
    expect(readRegionForm(formOf({ timeZone: "Asia/Calcutta" })).timeZone).toBe("Asia/Kolkata");
    expect(fieldOf(() => readRegionForm(formOf({ timeZone: "Mars/Olympus" })))).toBe("timeZone");
  });
});

function fieldOf(attempt: () => unknown): string | null {
  try {
    attempt();
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.field;
  }
}
