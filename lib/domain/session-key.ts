import type { Refusal } from "@/lib/domain/funding";

/** What a session key may do at the venue (polymarket-wallets.md 6.1). ALL includes the others. */
export const SESSION_SCOPES = ["CLOB", "COMBOSRFQ", "ALL"] as const;
export type SessionScope = (typeof SESSION_SCOPES)[number];

/** What the owner of a deposit wallet allowed one of its session keys to do, and until when. */
export interface SessionKey {
  scopes: readonly SessionScope[];
  expiresAt: Date;
}

/** The official clients authorize session keys for 4,315 hours, which Polymarket calls 180 days. */
export const SESSION_KEY_LIFE_MS = 4_315 * 3_600_000;
/** Users are warned this long before a session key expires. */
export const SESSION_KEY_WARNING_MS = 7 * 86_400_000;

export type SessionKeyState = "valid" | "expiring" | "expired";

export function getSessionKeyState(
  { expiresAt }: Pick<SessionKey, "expiresAt">,
  at: number,
): SessionKeyState {
  if (expiresAt.getTime() <= at) return "expired";
  return expiresAt.getTime() <= at + SESSION_KEY_WARNING_MS ? "expiring" : "valid";
}

/** Whether the scopes include orders on the book. */
export const canTrade = (scopes: readonly SessionScope[]): boolean =>
  scopes.includes("CLOB") || scopes.includes("ALL");

/** Refuses an order that a session key would sign after its end. Null for an owner's key. */
export function refuseExpiredKey(key: SessionKey | null, at: number): Refusal | null {
  if (key === null || getSessionKeyState(key, at) !== "expired") return null;
  const until = key.expiresAt.toISOString();
  return {
    code: "SESSION_KEY_EXPIRED",
    message: `The session key of this wallet expired at ${until}. Import a new session key to trade again.`,
  };
}
