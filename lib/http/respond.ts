import "server-only";
import { AppError, ERROR_STATUS } from "@/lib/errors";
import { type Answer, failureAnswer } from "@/lib/schemas/envelope";

const BASE_HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;

/** A finished answer that goes out as it is, such as one that was stored with its order. */
export class Reply {
  constructor(
    readonly answer: Answer,
    readonly headers: Record<string, string> = {},
  ) {}
}

export function toResponse(reply: Reply, requestId: string): Response {
  return new Response(reply.answer.body, {
    status: reply.answer.status,
    headers: { ...BASE_HEADERS, "x-request-id": requestId, ...reply.headers },
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

/** Marks an answer that the Node server must not send. */
export const LOST_ANSWER_HEADER = "x-ante-lost-answer";

/** An answer whose body breaks off; a server that sees the header drops the connection instead. */
export function lostResponse(requestId: string): Response {
  const body = new ReadableStream({
    start: (controller) => controller.error(new Error("rehearsed: the answer got lost")),
  });
  return new Response(body, {
    status: 200,
    headers: { ...BASE_HEADERS, "x-request-id": requestId, [LOST_ANSWER_HEADER]: "1" },
  });
}
