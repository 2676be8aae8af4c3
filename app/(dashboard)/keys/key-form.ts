import type { ActionState } from "@/components/ui/action-form";

/** A new key. Only this state contains it. */
export interface MadeKey {
  apiKey: string;
  name: string;
  /** The note about the key that it replaces. */
  note: string | null;
}

export type KeyFormState = ActionState | ({ status: "made" } & MadeKey);

export type KeyFormAction = (state: KeyFormState, form: FormData) => Promise<KeyFormState>;

/** How long a rotated key keeps working, in hours. */
export const OVERLAPS = [
  { value: "0", label: "Now", help: "The old key stops working immediately." },
  { value: "1", label: "In 1 hour", help: "When you restart one program now." },
  { value: "24", label: "In 24 hours", help: "When you have a few programs to restart." },
  { value: "168", label: "In 7 days", help: "When other people run your programs." },
] as const;
