"use client";

import { useEffect, useSyncExternalStore } from "react";
import { RadioField, SelectField, ToggleField } from "@/components/settings/choices";
import { type SectionProps, SettingsForm } from "@/components/settings/settings-form";
import { applyDisplay } from "@/lib/browser/display";
import { isHidingValues, subscribeToHideValues } from "@/lib/browser/hide-values";
import type { DisplaySettings } from "@/lib/schemas/settings";

const THEMES = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;
const DENSITIES = [
  { value: "comfortable", label: "Comfortable" },
  { value: "compact", label: "Compact (more rows)" },
] as const;
const PACES = [
  { value: "live", label: "Live" },
  { value: "slow", label: "Slow (every 5×)" },
  { value: "paused", label: "Paused (manual refresh)" },
] as const;
const DIRECTIONS = [
  { value: "default", label: "Default", preview: <DirectionPreview palette="default" /> },
  { value: "cvd", label: "Blue and orange", preview: <DirectionPreview palette="cvd" /> },
  { value: "inverted", label: "Inverted", preview: <DirectionPreview palette="inverted" /> },
] as const;

/** The display settings of this browser. */
export function DisplayForm({
  settings,
  ...section
}: SectionProps & { settings: DisplaySettings }) {
  // Menu and shortcuts also change these settings, without the server. The last change counts.
  useEffect(() => applyDisplay(settings), [settings]);
  const isHiding = useSyncExternalStore(
    subscribeToHideValues,
    isHidingValues,
    () => settings.hideValues,
  );
  return (
    <SettingsForm {...section}>
      {() => (
        <>
          <RadioField name="theme" legend="Theme" value={settings.theme} options={THEMES} />
          <RadioField
            name="direction"
            legend="Up and down colors"
            value={settings.direction}
            options={DIRECTIONS}
          />
          <SelectField
            name="density"
            label="Table density"
            value={settings.density}
            options={DENSITIES}
          />
          <SelectField
            name="liveUpdates"
            label="Live updates"
            value={settings.liveUpdates}
            options={PACES}
            help="How often live data refreshes."
          />
          <ToggleField
            name="hideValues"
            label="Hide values"
            help="Shows •••• instead of money and shares. Prices and percentages stay visible."
            isOn={isHiding}
          />
          <ToggleField
            name="shortcuts"
            label="Single-key shortcuts"
            help="Press ? on any page to see them. Single keys never place or cancel an order."
            isOn={settings.shortcuts}
          />
        </>
      )}
    </SettingsForm>
  );
}

/** Shows the palette's colors, independent of the page's current palette. */
function DirectionPreview({ palette }: { palette: DisplaySettings["direction"] }) {
  return (
    <span data-dir={palette} className="num block text-small whitespace-nowrap">
      <span className="text-up">▲ +2.4%</span> <span className="text-down">▼ −1.1%</span>
    </span>
  );
}
