"use client";

import { ShownOnce } from "@/components/ui/shown-once";

interface Props {
  apiKey: string;
  name: string;
  /** The note about the key that it replaces. */
  note: string | null;
  /** The API's origin, without a trailing slash. */
  origin: string;
}

/** A new key, with a first command. */
export function NewKey({ apiKey, name, note, origin }: Props) {
  const code = `export ANTE_API_KEY=${apiKey}\ncurl -H "Authorization: Bearer $ANTE_API_KEY" ${origin}/v1/key`;
  return (
    <ShownOnce
      heading={`Your new key “${name}”`}
      secret={apiKey}
      noun="key"
      label="API key"
      ifLost={<>We store only a hash; if you lose it, create a new key. {note}</>}
      remedy={
        note === null
          ? "Create another if you didn’t save it."
          : "Rotate the new key if you didn’t save it."
      }
      example={{ title: "Try it", code }}
      doneHref="/keys"
    />
  );
}
