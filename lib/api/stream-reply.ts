import "server-only";
import { STREAM_HEADERS, toBytes } from "@/lib/api/event-stream";
import { Reply } from "@/lib/api/http/respond";
import type { Principal } from "@/lib/auth/principal";
import { type EventStreamQuery, openEventStream, parseEventId } from "@/lib/events/stream-events";
import { watchKey } from "@/lib/events/watch-keys";
import { takeStreamSlots } from "@/lib/open-streams";
import type { StreamEnd } from "@/lib/schemas/events";

const MAX_PER_ACCOUNT = 200;
/** A waiting stream costs memory only; the heads of all are read together. */
const MAX_PER_PROCESS = 2_000;

/** Opens the event stream of a key's account. The header says where a reader was interrupted. */
export async function streamEvents(
  principal: Principal,
  query: EventStreamQuery,
  lastEventId: string | null,
): Promise<Reply> {
  const after = lastEventId === null ? query.after : parseEventId(lastEventId);
  const left = new AbortController();
  const release = takeStreamSlots([
    [`events/${principal.userId}/${principal.mode}`, MAX_PER_ACCOUNT],
    ["events", MAX_PER_PROCESS],
  ]);
  try {
    const events = await openEventStream(principal, { ...query, after }, left.signal);
    const end = () => left.abort("key_revoked" satisfies StreamEnd);
    const forget = principal.keyId === null ? null : watchKey(principal.keyId, end);
    const onClose = () => {
      forget?.();
      release();
    };
    return new Reply({ status: 200, body: "" }, STREAM_HEADERS, toBytes(events, left, onClose));
  } catch (error) {
    release();
    throw error;
  }
}
