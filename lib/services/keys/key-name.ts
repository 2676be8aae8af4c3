import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";

export const MAX_NAME_LENGTH = 64;

const KeyName = z
  .string()
  .transform((text) => text.trim().replaceAll(/\s+/g, " "))
  .pipe(
    z
      .string()
      .min(1, "Give the key a name, such as what will use it.")
      .refine((name) => [...name].length <= MAX_NAME_LENGTH, {
        error: `A name may have at most ${MAX_NAME_LENGTH} characters.`,
      })
      // Postgres stores no NUL, and no name needs the others.
      .refine((name) => !/\p{Cc}/u.test(name), "A name may hold no control characters."),
  );

/** A key's name as its owner typed it, tidied. Throws VALIDATION_ERROR for the field "name". */
export function readKeyName(text: string): string {
  const read = KeyName.safeParse(text);
  if (read.success) return read.data;
  const message = read.error.issues[0]?.message ?? "Give the key another name.";
  throw new AppError("VALIDATION_ERROR", message, { field: "name" });
}
