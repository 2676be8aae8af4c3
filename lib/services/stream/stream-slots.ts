import "server-only";
import type { Session } from "@/lib/auth/session";
import { AppError } from "@/lib/errors";

/** One browser with this many market pages open has more than it can look at. */
const MAX_PER_SESSION = 5;
const MAX_PER_USER = 20;
/** Each stream looks at the database once a second. */
const MAX_PER_PROCESS = 300;

const open = new Map<string, number>();

/** Counts a stream of a session. Throws RATE_LIMITED. Returns what to call, once, when it ends. */
export function takeStreamSlot(session: Pick<Session, "id" | "principal">): () => void {
  const limits: [string, number][] = [
    [session.id, MAX_PER_SESSION],
    [session.principal.userId, MAX_PER_USER],
    ["process", MAX_PER_PROCESS],
  ];
  const full = limits.find(([key, max]) => (open.get(key) ?? 0) >= max);
  if (full) {
    throw new AppError("RATE_LIMITED", "too many live streams; close a page or poll", {
      headers: { "retry-after": "30" },
    });
  }
  for (const [key] of limits) open.set(key, (open.get(key) ?? 0) + 1);
  return () => {
    for (const [key] of limits) {
      const left = (open.get(key) ?? 1) - 1;
      if (left === 0) open.delete(key);
      else open.set(key, left);
    }
  };
}
