"use client";

import { MaskedText } from "@/components/format/masked-text";
import { usePreferences } from "@/components/format/preferences";
import { formatRefusal } from "@/components/format/format-refusal";

/** Why the API refused something, with the names and times of pages. */
export function RefusalText({ message }: { message: string }) {
  const clock = usePreferences();
  return <MaskedText text={formatRefusal(message, clock)} />;
}
