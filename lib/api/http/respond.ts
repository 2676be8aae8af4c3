import "server-only";
import type { AppError } from "@/lib/errors";
import { transportHeaders } from "@/lib/api/http/page-security";
import { type Answer, failureAnswer } from "@/lib/schemas/envelope";

/** Headers of every response: no browser runs or frames it, guesses its type or shares it. */
export const INTERFACE_HEADERS = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
} as const;

/** A finished response that is sent as it is, such as one that was stored with its order. */
export class Reply {
  /**
   * @param answer has an empty body if only the payload has it: long bytes or a stream.
   * @param payload the body as it is sent: text, bytes or a stream. Null for a simulated loss: the
   *   connection breaks instead.
   */
  constructor(
    readonly answer: Answer,
    readonly headers: Record<string, string> = {},
    readonly payload: Payload | StreamedBody | null = answer.body,
  ) {}

  get isLost(): boolean {
    return this.payload === null;
  }
}

/** The reply that never arrives, as a caller asked with `X-Rehearse: lost-answer`. */
export const LOST_REPLY = new Reply({ status: 200, body: "" }, {}, null);

type Payload = string | Uint8Array<ArrayBuffer>;
/** A body that is written while it is sent. */
export type StreamedBody = ReadableStream<Uint8Array<ArrayBuffer>>;

/** A response as it is sent, by Next or by the Node server. */
export interface Outgoing {
  status: number;
  headers: Record<string, string>;
  /** Null for a simulated loss: the connection breaks instead. */
  body: Payload | StreamedBody | null;
}

/** @param more headers of this response alone; the reply and its own headers can be sent again. */
export function toOutgoing(
  { answer, headers, payload }: Reply,
  requestId: string,
  ...more: readonly (Record<string, string> | undefined)[]
): Outgoing {
  return {
    status: answer.status,
    headers: buildHeaders(requestId, headers, ...more),
    body: payload,
  };
}

type Headers = Readonly<Record<string, string>>;

function buildHeaders(
  requestId: string,
  ...added: readonly (Headers | undefined)[]
): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json; charset=utf-8",
    "x-request-id": requestId,
  };
  // Assigned one by one: each spread would create a new hidden class, which V8 keeps until a full
  // garbage collection.
  const all: readonly (Headers | undefined)[] = [INTERFACE_HEADERS, transportHeaders(), ...added];
  for (const more of all) {
    for (const name in more) headers[name] = more[name] ?? "";
  }
  return headers;
}

export function toResponse(reply: Reply, requestId: string, method?: string): Response {
  return webResponse(toOutgoing(reply, requestId), method);
}

/** The status of a response without a body, whose length is that of the body that the caller has. */
export const NOT_MODIFIED = 304;

/** @param method of the request: HEAD gets the headers without the body. */
export function webResponse({ status, headers, body }: Outgoing, method = "GET"): Response {
  if (body === null) return new Response(createBrokenBody(), { status, headers });
  if (status === NOT_MODIFIED) return new Response(null, { status, headers });
  if (body instanceof ReadableStream) {
    if (method !== "HEAD") return new Response(body, { status, headers });
    void body.cancel();
    return new Response(null, { status, headers });
  }
  const length = String(Buffer.byteLength(body));
  const sent = method === "HEAD" ? null : body;
  return new Response(sent, { status, headers: { ...headers, "content-length": length } });
}

function createBrokenBody(): ReadableStream {
  return new ReadableStream({
    start: (controller) => controller.error(new Error("simulated: the response was lost")),
  });
}

/** Returns the error envelope. */
export function failureReply(error: AppError): Reply {
  return new Reply(failureAnswer(error.code, error.message), error.headers);
}

/** Returns the reply with another status, for clients that know only those of the contract. */
export function withStatus(reply: Reply, status: number): Reply {
  return new Reply({ ...reply.answer, status }, reply.headers);
}
