"use client";

import { useEffect, useSyncExternalStore } from "react";
import { RadioField, SelectField, ToggleField } from "@/components/settings/choices";
import type { SectionProps } from "@/components/settings/form-state";
import { SettingsForm } from "@/components/settings/settings-form";
import { applyDisplay } from "@/lib/client/display";
import { isHidingValues, subscribeToHideValues } from "@/lib/client/hide-values";
import type { DisplaySettings } from "@/lib/schemas/settings";

const THEMES = [
  { value: "system", label: "As the system" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;
const DENSITIES = [
  { value: "comfortable", label: "Comfortable" },
  { value: "compact", label: "Compact: more rows on a screen" },
] as const;
const PACES = [
  { value: "live", label: "Live" },
  { value: "slow", label: "Slow: a fifth as often" },
  { value: "paused", label: "Paused: only when you ask" },
] as const;
const DIRECTIONS = [
  { value: "default", label: "Default", preview: <DirectionPreview palette="default" /> },
  { value: "cvd", label: "Blue and orange", preview: <DirectionPreview palette="cvd" /> },
  { value: "inverted", label: "Inverted", preview: <DirectionPreview palette="inverted" /> },
] as const;

/** How the dashboard looks in this browser. */
export function DisplayForm({
  settings,
  ...section
}: SectionProps & { settings: DisplaySettings }) {
  // The menu and the keys change some of it without the server; what was saved last counts.
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
            legend="Colors of up and down"
            value={settings.direction}
            options={DIRECTIONS}
          />
          <SelectField
            name="density"
            label="Rows of tables"
            value={settings.density}
            options={DENSITIES}
          />
          <SelectField
            name="liveUpdates"
            label="Live updates"
            value={settings.liveUpdates}
            options={PACES}
            help="How often prices, orders and figures are brought up to date by themselves."
          />
          <ToggleField
            name="hideValues"
            label="Hide values"
            help="Shows •••• in place of money and shares. Prices and percentages stay."
            isOn={isHiding}
          />
          <ToggleField
            name="shortcuts"
            label="Single-key shortcuts"
            help="Press ? on any page to see them. They never place or cancel an order by themselves."
            isOn={settings.shortcuts}
          />
        </>
      )}
    </SettingsForm>
  );
}

/** The palette's own colors, whatever the page has now. */
function DirectionPreview({ palette }: { palette: DisplaySettings["direction"] }) {
  return (
    <span data-dir={palette} className="num block text-small whitespace-nowrap">
      <span className="text-up">▲ +2.4%</span> <span className="text-down">▼ −1.1%</span>
    </span>
  );
}
