import "server-only";
import type { Session } from "@/lib/auth/session";

/** A server-sent event, or a comment that only keeps the connection open. */
export type ServerEvent = { event: string; data: unknown } | { comment: string };

/** Who asks for a stream, for what, and whether they are still there. */
export interface StreamCall {
  session: Session;
  query: URLSearchParams;
  /** Aborted once nobody listens any more. */
  signal: AbortSignal;
  /** Looks again whether the session still counts. */
  isSignedIn: () => Promise<boolean>;
}
