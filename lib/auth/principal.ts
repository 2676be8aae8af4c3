import type { Mode } from "@/lib/venue/port";

export const SCOPES = ["read", "trade", "cancel"] as const;
export type Scope = (typeof SCOPES)[number];

/** Who asks, proven. */
export interface Principal {
  userId: string;
  mode: Mode;
  /** The API key's public id. */
  keyId: string;
  scopes: readonly Scope[];
}
