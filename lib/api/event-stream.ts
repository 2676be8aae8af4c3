import "server-only";
import { requireRequestSession } from "@/lib/auth/session";
import { AppError } from "@/lib/errors";
import { registerStream } from "@/lib/api/open-streams";
import { readSessionQuery } from "@/lib/api/http/request";
import { INTERFACE_HEADERS } from "@/lib/api/http/respond";
import { serveSession } from "@/lib/api/serve-session";
import type { ServerEvent, StreamRequest } from "@/lib/markets/stream-market";

const HEADERS = {
  ...INTERFACE_HEADERS,
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
        signal: AbortSignal.any([request.signal, left.signal]),
        isSignedIn: () => isSignedIn(request),
      });
      return new Response(toBytes(events, left), {
        headers: { ...HEADERS, "x-request-id": requestId },
      });
    });
}

function toBytes(
  events: AsyncGenerator<ServerEvent>,
  left: AbortController,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const forget = registerStream(left);
  return new ReadableStream({
    pull: async (controller) => {
      const next = await events.next();
      if (!next.done) return controller.enqueue(encoder.encode(toLine(next.value)));
      forget();
      controller.close();
    },
    cancel: async () => {
      forget();
      left.abort();
      await events.return(undefined);
    },
  });
}

function toLine(event: ServerEvent): string {
  if ("comment" in event) return `: ${event.comment}\n\n`;
  return `event: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`;
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
