import "server-only";
import type { z } from "zod";
import { authenticate } from "@/lib/auth/authenticate";
import { authenticateSession } from "@/lib/auth/session";
import type { Principal } from "@/lib/auth/principal";
import { countRequest } from "@/lib/auth/rate-limit";
import { now } from "@/lib/clock";
import { isDatabaseUnavailable } from "@/lib/db/errors";
import { env } from "@/lib/env";
import { AppError, LostAnswer } from "@/lib/errors";
import { readJson } from "@/lib/http/body";
import { operationPath, publicPath } from "@/lib/http/gate";
import { findReply, keepReply, type Keeping, orderIdIn, stampOf } from "@/lib/http/kept-replies";
import { pageLink } from "@/lib/http/page-link";
import { type ApiRequest, readRequest } from "@/lib/http/request";
import {
  failureReply,
  isRateLimited,
  lostOutgoing,
  type Outgoing,
  Reply,
  toOutgoing,
  webResponse,
  withStatus,
} from "@/lib/http/respond";
import { findRoutes, type OperationId, ROUTES } from "@/lib/http/routes";
import { newId } from "@/lib/ids";
import { errorFields, log, type LogFields } from "@/lib/log";
import { codeOf, parseInput, successBody } from "@/lib/schemas/envelope";
import { OPERATIONS, type Operations } from "@/lib/schemas/operations";
import { countAnswer } from "@/lib/services/ops/request-counts";
import { noteRequest } from "@/lib/services/requests/note-request";
import { venueOf } from "@/lib/venue";
import { withoutSecrets } from "@/lib/without-secrets";

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Caller<Id extends OperationId> = (typeof ROUTES)[Id]["access"] extends "open"
  ? null
  : Principal;

/** What a handler gets: everything checked and typed. */
export interface Call<Id extends OperationId> {
  principal: Caller<Id>;
  params: Parsed<Operations[Id]["params"]>;
  query: Parsed<Operations[Id]["query"]>;
  body: Parsed<Operations[Id]["body"]>;
  headers: ApiRequest["headers"];
}

type Result<Id extends OperationId> = z.output<Operations[Id]["response"]> | Reply;

/** A plain Web function: Next mounts it, tests call it. `server.mjs` asks for the answer alone. */
export interface ApiHandler {
  (request: Request): Promise<Response>;
  operationId: OperationId;
  answer: (request: ApiRequest) => Promise<Outgoing>;
  /** The same operation for a signed-in browser, for `app/api/ui`. */
  forSession: (request: Request) => Promise<Response>;
}

/** Proves who asks; null when the operation is open to all. */
type Authenticate = (incoming: Incoming) => Promise<Principal | null>;

/** Stands for a rehearsed answer that never arrives. */
const LOST = Symbol("lost answer");

/** An id in a path is as long as a caller makes it. */
const MAX_NOTED_PATH = 200;

/**
 * Makes the handler of one operation: authenticates, counts against the limits, parses, calls,
 * encodes, and turns every throw into the envelope. Nothing else.
 *
 * @param keeping what a read is made of: until that changes, a key is given the same answer again.
 */
export function route<Id extends OperationId>(
  id: Id,
  handle: (call: Call<Id>) => Promise<Result<Id>> | Result<Id>,
  keeping: Keeping | null = null,
): ApiHandler {
  const serveTo =
    (caller: "key" | "session" | "open", authenticateCaller: Authenticate) =>
    async (request: ApiRequest): Promise<Outgoing> => {
      const requestId = newId("req");
      const startedAt = performance.now();
      const fields: LogFields = { requestId, method: request.method, route: ROUTES[id].path };
      const incoming = { request, authenticateCaller, fields, keeping, stamp: null };
      const reply = await answer(id, handle, incoming);
      const tookMs = performance.now() - startedAt;
      fields.durationMs = Math.round(tookMs);
      if (reply !== LOST) fields.status = reply.answer.status;
      const { method, path } = ROUTES[id];
      const status = fields.status ?? null;
      countAnswer({ method, route: path, caller, status, seconds: tookMs / 1000 });
      log.info("request", fields);
      keep(request, requestId, fields);
      return reply === LOST ? lostOutgoing(requestId) : toOutgoing(reply, requestId);
    };
  const { access } = ROUTES[id];
  const byKey: Authenticate = async (incoming) => {
    if (access === "open") return null;
    const { request, fields } = incoming;
    return authenticate(request, access === "key" ? null : access, {
      orderId: keeping === "order" ? orderIdIn(request) : null,
      ofOpenOrders: keeping === "open orders",
      // A genuine key is known by name even when it may not do this.
      onGenuine: (caller) => {
        Object.assign(fields, { keyId: caller.key.id, userId: caller.key.userId });
        incoming.stamp = keeping && stampOf(keeping, caller);
      },
    });
  };
  const serve = serveTo(access === "open" ? access : "key", byKey);
  const serveSession = serveTo("session", ({ request }) => authenticateSession(request));
  return Object.assign(asWeb(serve), {
    operationId: id,
    answer: serve,
    forSession: asWeb(serveSession),
  });
}

function asWeb(serve: (request: ApiRequest) => Promise<Outgoing>) {
  return async (request: Request) => webResponse(await serve(readRequest(request)));
}

/** Notes a call made with a key for the key's owner: its path without the query, and no body. */
function keep(request: ApiRequest, requestId: string, fields: LogFields): void {
  const { userId, keyId, method, status, code, durationMs } = fields;
  if (!userId || !keyId) return;
  noteRequest({
    id: requestId,
    userId,
    keyId,
    method: method ?? request.method,
    path: withoutSecrets(publicPath(request.pathname)).slice(0, MAX_NOTED_PATH),
    status: status ?? null,
    errorCode: code ?? null,
    durationMs: durationMs ?? 0,
    createdAt: new Date(now()),
  });
}

/** A request on its way to its handler. */
interface Incoming {
  request: ApiRequest;
  authenticateCaller: Authenticate;
  /** What is known of it for the log; filled in on the way. */
  fields: LogFields;
  keeping: Keeping | null;
  /** Of what the answer is made of, once the caller is known; null when no answer is kept. */
  stamp: string | null;
}

async function answer<Id extends OperationId>(
  id: Id,
  handle: (call: Call<Id>) => Promise<Result<Id>> | Result<Id>,
  incoming: Incoming,
): Promise<Reply | typeof LOST> {
  const { request, fields, keeping } = incoming;
  try {
    const principal = await letIn(id, incoming);
    const kept = keeping && principal && findReply(keeping, principal, incoming);
    if (kept) return kept;
    const result = await handle(await readCall(id, principal, request));
    if (result instanceof Reply) {
      const code = codeOf(result.answer);
      if (code !== null) fields.code = code;
      return result;
    }
    const schema: z.ZodType = OPERATIONS[id].response;
    const answered = { status: 200, body: successBody(schema, result) };
    const reply = new Reply(answered, pageLink(request, result));
    if (principal) keepReply(principal, incoming, reply);
    return reply;
  } catch (error) {
    if (error instanceof LostAnswer) return LOST;
    const reply = failureReply(toAppError(error, fields));
    return isRateLimited(reply) ? withStatus(reply, env().RATE_LIMIT_STATUS) : reply;
  }
}

/** Proves who asks and whether there is room for the request; null when it is open to all. */
async function letIn(id: OperationId, incoming: Incoming): Promise<Principal | null> {
  const { authenticateCaller, fields } = incoming;
  const { access, rate } = ROUTES[id];
  const principal = await authenticateCaller(incoming);
  if (!principal) return null;
  fields.userId = principal.userId;
  fields.keyId = principal.keyId;
  await countRequest(principal, rate);
  // A live key reaches nothing of the paper account: without its venue it can only ask what it is.
  if (access !== "key") venueOf(principal.mode);
  return principal;
}

async function readCall<Id extends OperationId>(
  id: Id,
  principal: Principal | null,
  request: ApiRequest,
): Promise<Call<Id>> {
  const operation = OPERATIONS[id];
  return {
    principal,
    params: parseInput(operation.params, paramsOf(id, request)),
    query: parseInput(operation.query, queryOf(request)),
    body: operation.body === null ? undefined : parseInput(operation.body, await readJson(request)),
    headers: request.headers,
  } as Call<Id>;
}

/** Path parameters come from the path itself, so every mount reads them alike. */
function paramsOf(
  id: OperationId,
  { method, pathname }: ApiRequest,
): Readonly<Record<string, string>> {
  const found = findRoutes(method, operationPath(pathname));
  if (found?.operation?.id !== id) {
    throw new AppError("ROUTE_NOT_FOUND", "there is no such path in this interface");
  }
  return found.operation.params;
}

function queryOf({ searchParams }: ApiRequest): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of searchParams) {
    if (Object.hasOwn(query, name))
      throw new AppError("VALIDATION_ERROR", `${name}: is given more than once`);
    Object.defineProperty(query, name, { value, enumerable: true });
  }
  return query;
}

function toAppError(error: unknown, fields: LogFields): AppError {
  if (error instanceof AppError) {
    fields.code = error.code;
    return error;
  }
  const code = isDatabaseUnavailable(error) ? "DATABASE_UNAVAILABLE" : "INTERNAL_ERROR";
  fields.code = code;
  log.error("request failed", { ...fields, ...errorFields(error) });
  return new AppError(
    code,
    code === "INTERNAL_ERROR"
      ? `something went wrong on our side; the request id is ${fields.requestId}`
      : "the database does not answer; repeat the request with the same idempotency key",
  );
}
