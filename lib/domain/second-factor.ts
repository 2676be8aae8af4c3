/** The changes that need a fresh second factor, or the password of a user without one. */
export const GUARDED_ACTIONS = [
  "switch_to_live",
  "import_wallet",
  "remove_wallet",
  "live_key",
  "raise_limit",
  "thaw",
  "approve",
  "webhook_secret",
  "webhook_address",
  "change_password",
  "change_factors",
] as const;

export type GuardedAction = (typeof GUARDED_ACTIONS)[number];

/** How long a proven second factor is good for, in its session. */
export const FACTOR_FRESH_MS = 5 * 60_000;

export const MAX_PASSKEYS = 10;

/** Whether a page can use passkeys, and otherwise where they work. */
export type PasskeySupport = "here" | "nowhere" | { at: string };

/** The proof that a form asks for before its action. */
export type ProofNeed =
  /** Nothing: the second factor was proven a moment ago, or everybody shares the account. */
  | { kind: "nothing" }
  /** The password, because no second factor is set up. */
  | { kind: "password" }
  /** The second factor. */
  | { kind: "factor"; hasPasskeys: boolean; hasApp: boolean }
  /** The operator requires a second factor, and none is set up. */
  | { kind: "missing" };
