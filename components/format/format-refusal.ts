import { formatUpdated } from "@/components/format/times";
import { writeApostrophes } from "@/components/format/typographic";
import { writeRefusal } from "@/lib/domain/refusal-text";

export type Clock = Parameters<typeof formatUpdated>[1];

/** Formats a refusal of the API with the names of pages, and times in the user's zone. */
export const formatRefusal = (message: string, clock: Clock): string =>
  writeApostrophes(writeRefusal(message, (at) => formatUpdated(Date.parse(at), clock)));
