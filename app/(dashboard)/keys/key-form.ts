import type { ActionState } from "@/app/_lib/action";

/** A key that was just made. It is in this state alone, and gone with it. */
export interface MadeKey {
  apiKey: string;
  name: string;
  /** What becomes of the key that it replaces. */
  note: string | null;
}

export type KeyFormState = ActionState | ({ status: "made" } & MadeKey);

export type KeyFormAction = (state: KeyFormState, form: FormData) => Promise<KeyFormState>;

/** How long a replaced key goes on working, in hours. */
export const OVERLAPS = [
  { value: "0", label: "Now", help: "The old key stops with the next request." },
  { value: "1", label: "In 1 hour", help: "For one program that you restart now." },
  { value: "24", label: "In 24 hours", help: "For a few programs." },
  { value: "168", label: "In 7 days", help: "For programs that others look after." },
] as const;
