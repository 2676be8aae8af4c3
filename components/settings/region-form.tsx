"use client";

import { usePreferences } from "@/components/format/preferences";
import { TimeStamp } from "@/components/format/time-stamp";
import { RadioField, SelectField } from "@/components/settings/choices";
import { type SectionProps, SettingsForm } from "@/components/settings/settings-form";
import { useHydrated } from "@/lib/browser/use-hydrated";
import type { DisplaySettings } from "@/lib/schemas/settings";

const CLOCKS = [
  { value: "24", label: "24 hours: 18:05" },
  { value: "12", label: "12 hours: 6:05 pm" },
] as const;

interface Props extends SectionProps {
  settings: DisplaySettings;
  /** All time zones. */
  zones: readonly string[];
  /** The current time, for the preview. */
  at: string;
}

/** The time zone and clock settings. */
export function RegionForm({ settings, zones, at, ...section }: Props) {
  const automatic = useAutomaticZone(settings);
  const options = [
    { value: "auto", label: automatic === null ? "Automatic" : `Automatic (${automatic})` },
    ...zones.map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") })),
  ];
  return (
    <SettingsForm {...section}>
      {({ getText }) => (
        <>
          <SelectField
            name="timeZone"
            label="Time zone"
            value={getText("timeZone", settings.timeZone)}
            options={options}
          />
          <RadioField
            name="clock"
            legend="Clock"
            value={settings.hour12 ? "12" : "24"}
            options={CLOCKS}
          />
          <p className="text-text-2">
            Preview: <TimeStamp at={at} isRelative={false} />
          </p>
        </>
      )}
    </SettingsForm>
  );
}

/** Returns the browser's zone. The server knows it only while the setting is automatic. */
function useAutomaticZone(settings: DisplaySettings): string | null {
  const { zone } = usePreferences();
  const isHydrated = useHydrated();
  if (settings.timeZone === "auto") return zone;
  return isHydrated ? Intl.DateTimeFormat().resolvedOptions().timeZone : null;
}
