import "server-only";
import { requireRequestSession } from "@/lib/auth/session";
import { AppError } from "@/lib/errors";
import { countSession } from "@/lib/http/count-session";
import { noteStream } from "@/lib/http/open-streams";
import { failureReply, toResponse } from "@/lib/http/respond";
import { newId } from "@/lib/ids";
import { errorFields, log } from "@/lib/log";
import type { ServerEvent, StreamCall } from "@/lib/services/stream/stream-call";

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // A proxy that compresses or collects would hold events back.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
} as const;

/** Makes a handler that streams events to a signed-in browser until either side ends it. */
export function eventStream(
  open: (call: StreamCall) => Promise<AsyncGenerator<ServerEvent>>,
): (request: Request) => Promise<Response> {
  const serve = async (request: Request) => {
    const requestId = newId("req");
    const left = new AbortController();
    try {
      const session = await requireRequestSession(request);
      const events = await open({
        session,
        query: new URL(request.url).searchParams,
        signal: AbortSignal.any([request.signal, left.signal]),
        isSignedIn: () => isSignedIn(request),
      });
      return new Response(toBytes(events, left), {
        headers: { ...HEADERS, "x-request-id": requestId },
      });
    } catch (error) {
      return toResponse(failureReply(toAppError(error, requestId)), requestId);
    }
  };
  return (request) => countSession(request, serve);
}

function toBytes(
  events: AsyncGenerator<ServerEvent>,
  left: AbortController,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const forget = noteStream(left);
  return new ReadableStream({
    pull: async (controller) => {
      const next = await events.next();
      if (!next.done) return controller.enqueue(encoder.encode(lineOf(next.value)));
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

function lineOf(event: ServerEvent): string {
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

function toAppError(error: unknown, requestId: string): AppError {
  if (error instanceof AppError) return error;
  log.error("stream failed to open", { requestId, ...errorFields(error) });
  return new AppError(
    "INTERNAL_ERROR",
    `something went wrong on our side; the request id is ${requestId}`,
  );
}
