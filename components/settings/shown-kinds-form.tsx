"use client";

import { NotificationChoices } from "@/components/settings/notification-choices";
import { type SectionProps, SettingsForm } from "@/components/settings/settings-form";
import type { NotificationKind } from "@/lib/domain/notifications";

/** Chooses the notifications that the bell and the page of notifications show. */
export function ShownKindsForm({
  shown,
  ...section
}: SectionProps & { shown: readonly NotificationKind[] }) {
  return (
    <SettingsForm {...section}>
      {() => (
        <fieldset className="flex flex-col">
          <legend className="mb-1.5 text-text-2">
            The bell and the list of notifications show these.
          </legend>
          <NotificationChoices prefix="shown" chosen={shown} />
        </fieldset>
      )}
    </SettingsForm>
  );
}
