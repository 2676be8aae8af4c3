import "server-only";
import { AppError } from "@/lib/errors";

/** One browser with this many market pages open has more than it can look at. */
const MAX_PER_SESSION = 5;

const open = new Map<string, number>();

/** Counts a stream of a session. Throws RATE_LIMITED. Returns what to call, once, when it ends. */
export function takeStreamSlot(sessionId: string): () => void {
  const count = open.get(sessionId) ?? 0;
  if (count >= MAX_PER_SESSION) {
    throw new AppError(
      "RATE_LIMITED",
      `a session may have ${MAX_PER_SESSION} live streams; close a page or poll`,
      { headers: { "retry-after": "30" } },
    );
  }
  open.set(sessionId, count + 1);
  return () => {
    const left = (open.get(sessionId) ?? 1) - 1;
    if (left === 0) open.delete(sessionId);
    else open.set(sessionId, left);
  };
}
