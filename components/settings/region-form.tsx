"use client";

import { TimeStamp } from "@/components/format/time-stamp";
import { RadioField, SelectField } from "@/components/settings/choices";
import type { SectionProps } from "@/components/settings/form-state";
import { SettingsForm } from "@/components/settings/settings-form";
import type { DisplaySettings } from "@/lib/schemas/settings";

const CLOCKS = [
  { value: "24", label: "24 hours: 18:05" },
  { value: "12", label: "12 hours: 06:05 pm" },
] as const;

interface Props extends SectionProps {
  settings: DisplaySettings;
  /** Every zone the server knows by name. */
  zones: readonly string[];
  /** Now, to show what a time looks like. */
  at: string;
}

/** Where the reader is, as far as times go. */
export function RegionForm({ settings, zones, at, ...section }: Props) {
  const options = [
    { value: "auto", label: "Automatic: the browser's" },
    ...zones.map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") })),
  ];
  return (
    <SettingsForm {...section}>
      {({ textOf }) => (
        <>
          <SelectField
            name="timeZone"
            label="Time zone"
            value={textOf("timeZone", settings.timeZone)}
            options={options}
          />
          <RadioField
            name="clock"
            legend="Clock"
            value={settings.hour12 ? "12" : "24"}
            options={CLOCKS}
          />
          <p className="text-text-2">
            This page was made at <TimeStamp at={at} isRelative={false} />.
          </p>
        </>
      )}
    </SettingsForm>
  );
}
