import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  readDisplayForm,
  readRegionForm,
  readTradingForm,
} from "@/app/(dashboard)/settings/read-forms";
import { AppError } from "@/lib/errors";
import { DisplaySettings, parseDisplaySettings, TradingSettings } from "@/lib/schemas/settings";

function createForm(fields: Record<string, string>): FormData {
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
  it("is parsed as written, decoded by Next or as the browser sends it", () => {
    fc.assert(
      fc.property(anySettings, (settings) => {
        const text = JSON.stringify(settings);
        expect(parseDisplaySettings(text)).toEqual(settings);
        expect(parseDisplaySettings(encodeURIComponent(text))).toEqual(settings);
      }),
    );
  });

  it.each([undefined, "", "%", "{", "null", "[]", "7", '{"theme":"neon","hour12":"yes"}', "%7B%"])(
    "falls back to the defaults if it is corrupted: %s",
    (cookie) => {
      expect(parseDisplaySettings(cookie)).toEqual(DEFAULTS);
    },
  );

  it("keeps valid fields beside invalid ones", () => {
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

  it("parse the typed values; an unchecked box is off", () => {
    const { reviewOrders: _, ...unchecked } = trading;
    const settings: TradingSettings = {
      reviewOrders: true,
      defaultOrderType: "limit",
      priceProtectionCents: 7,
      quickAmounts: [1, 25, 1_000_000],
    };
    expect(readTradingForm(createForm(trading))).toEqual(settings);
    expect(readTradingForm(createForm(unchecked))).toEqual({ ...settings, reviewOrders: false });
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
  ])("reject %s = %j and name the field", (field, value) => {
    const problem = readField(() => readTradingForm(createForm({ ...trading, [field]: value })));
    expect(problem).toBe(field);
  });

  it("parse the display form; an invalid value gets its default", () => {
    expect(
      readDisplayForm(createForm({ theme: "dark", direction: "rainbow", shortcuts: "on" })),
    ).toEqual({
      theme: "dark",
      direction: "default",
      density: "comfortable",
      liveUpdates: "live",
      hideValues: false,
      shortcuts: true,
    });
  });

  it("accept only existing time zones", () => {
    expect(readRegionForm(createForm({ timeZone: "Asia/Tokyo", clock: "12" }))).toEqual({
      timeZone: "Asia/Tokyo",
      hour12: true,
    });
    expect(readRegionForm(createForm({ timeZone: "auto" }))).toEqual({
      timeZone: "auto",
      hour12: false,
    });
    expect(readRegionForm(createForm({ timeZone: "Asia/Calcutta" })).timeZone).toBe("Asia/Kolkata");
    expect(readField(() => readRegionForm(createForm({ timeZone: "Mars/Olympus" })))).toBe(
      "timeZone",
    );
  });
});

function readField(attempt: () => unknown): string | null {
  try {
    attempt();
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.field;
  }
}
