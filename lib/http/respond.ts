import "server-only";
import { AppError, ERROR_STATUS } from "@/lib/errors";
import { transportHeaders } from "@/lib/http/page-security";
import { type Answer, failureAnswer } from "@/lib/schemas/envelope";

/** A finished answer that goes out as it is, such as one that was stored with its order. */
export class Reply {
  /** @param payload the body as it is sent: text, or its bytes where it is sent more than once. */
  constructor(
    readonly answer: Answer,
    readonly headers: Record<string, string> = {},
    readonly payload: Payload = answer.body,
  ) {}
}

type Payload = string | Uint8Array<ArrayBuffer>;

/** An answer as it goes out, whichever server sends it. */
export interface Outgoing {
  status: number;
  headers: Record<string, string>;
  /** Null is an answer that must not arrive: the connection breaks instead. */
  body: Payload | null;
}

export function toOutgoing({ answer, headers, payload }: Reply, requestId: string): Outgoing {
  return {
    status: answer.status,
    headers: headersOf(requestId, headers),
    body: payload,
  };
}

/** Stands for an answer that gets lost on the way, as a caller has asked for. */
export function lostOutgoing(requestId: string): Outgoing {
  return { status: 200, headers: headersOf(requestId, {}), body: null };
}

function headersOf(requestId: string, own: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId,
  };
  // One by one: an object that others are spread into gets a shape of its own every time, which
  // outlives it until a full collection.
  for (const more of [transportHeaders(), own]) {
    for (const [name, value] of Object.entries(more)) headers[name] = value;
  }
  return headers;
}

export function toResponse(reply: Reply, requestId: string): Response {
  return webResponse(toOutgoing(reply, requestId));
}

export function webResponse({ status, headers, body }: Outgoing): Response {
  return new Response(body ?? brokenBody(), { status, headers });
}

function brokenBody(): ReadableStream {
  return new ReadableStream({
    start: (controller) => controller.error(new Error("rehearsed: the answer got lost")),
  });
}

/** The envelope of an error meant for the caller. */
export function failureReply(error: AppError): Reply {
  return new Reply(failureAnswer(error.code, error.message), error.headers);
}

/** The same answer under another status, for clients that know only the interface's own. */
export function withStatus(reply: Reply, status: number): Reply {
  return new Reply({ ...reply.answer, status }, reply.headers);
}

export const isRateLimited = (reply: Reply) => reply.answer.status === ERROR_STATUS.RATE_LIMITED;
