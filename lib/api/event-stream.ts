import "server-only";
import { requireRequestSession } from "@/lib/auth/session";
import { AppError } from "@/lib/errors";
import { registerStream } from "@/lib/open-streams";
import { readSessionQuery } from "@/lib/api/http/request";
import { INTERFACE_HEADERS } from "@/lib/api/http/respond";
import { serveSession } from "@/lib/api/serve-session";
import { buildEnd } from "@/lib/events/stream-events";
import type { StreamEnd } from "@/lib/schemas/events";
import type { StreamRequest } from "@/lib/markets/stream-market";
import { type ServerEvent, writeServerEvent } from "@/lib/server-events";

/** A reader that takes nothing for this long is disconnected, so that it does not hold a place. */
const SLOW_READER_MS = 30_000;

/** Headers of a stream. */
export const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // A proxy that compresses or buffers would delay events.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
} as const;

/** Creates the handler that streams events to a signed-in browser until either side ends it. */
export function eventStream(
  open: (call: StreamRequest) => Promise<AsyncGenerator<ServerEvent>>,
): (request: Request) => Promise<Response> {
  return (request) =>
    serveSession(request, async (requestId) => {
      const left = new AbortController();
      const session = await requireRequestSession(request);
      const events = await open({
        session,
        query: readSessionQuery(request),
        lastEventId: request.headers.get("last-event-id"),
        signal: AbortSignal.any([request.signal, left.signal]),
        isSignedIn: () => isSignedIn(request),
      });
      return new Response(toBytes(events, left), {
        headers: { ...INTERFACE_HEADERS, ...STREAM_HEADERS, "x-request-id": requestId },
      });
    });
}

/**
 * Encodes events for a response. Events are read as fast as they are sent, so nothing piles up for a
 * slow reader.
 *
 * @param left aborted when the reader leaves, or with the reason for which the service ends the stream.
 * @param onClose called once, when the stream is over.
 */
export function toBytes(
  events: AsyncGenerator<ServerEvent>,
  left: AbortController,
  onClose: () => void = () => undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const forget = registerStream(left);
  let unread: NodeJS.Timeout | undefined;
  let isOver = false;
  // A reader that leaves also ends the read that waits for the next event, so both come here.
  const finish = () => {
    if (isOver) return;
    isOver = true;
    clearTimeout(unread);
    forget();
    onClose();
  };
  return new ReadableStream({
    pull: async (controller) => {
      clearTimeout(unread);
      const next = await events.next().catch((error: unknown) => {
        finish();
        throw error;
      });
      if (next.done) {
        finish();
        return controller.close();
      }
      controller.enqueue(encoder.encode(writeServerEvent(next.value)));
      unread = setTimeout(() => {
        finish();
        const end = buildEnd("slow_reader" satisfies StreamEnd);
        if (end) controller.enqueue(encoder.encode(writeServerEvent(end)));
        controller.close();
        void events.return(undefined);
      }, SLOW_READER_MS);
      unread.unref();
    },
    cancel: async () => {
      finish();
      left.abort();
      await events.return(undefined);
    },
  });
}

async function isSignedIn(request: Request): Promise<boolean> {
  try {
    await requireRequestSession(request);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
