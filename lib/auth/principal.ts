import type { Mode } from "@/lib/venue/port";

export const SCOPES = ["read", "trade", "cancel", "webhooks"] as const;
export type Scope = (typeof SCOPES)[number];

/** What the dashboard gives a key that trades. */
export const TRADING_SCOPES = ["read", "trade", "cancel"] as const satisfies readonly Scope[];

/** An authenticated caller. */
export interface Principal {
  userId: string;
  mode: Mode;
  /** The API key's public id; null when the caller is a signed-in browser. */
  keyId: string | null;
  scopes: readonly Scope[];
  /** Whether limits or a freeze may apply; missing if it was not looked up. */
  isLimited?: boolean | undefined;
  /** The id of the request; missing if no request of the interface started the work. */
  requestId?: string | null | undefined;
}

/** A caller with an API key. */
export type KeyPrincipal = Principal & { keyId: string };
