import "server-only";
import { readBytes } from "@/lib/api/http/request";
import { newId } from "@/lib/ids";
import { errorFields, log } from "@/lib/log";
import { authenticateKey, authenticateOwner, type SandboxCaller } from "@/lib/sandbox/authenticate";
import {
  type Conditions,
  readConditions,
  refuseByPhase,
  refuseByRegion,
  refuseUnknownFault,
} from "@/lib/sandbox/conditions";
import { SandboxError, toSandboxError } from "@/lib/sandbox/error";
import { countSandboxKey, countSandboxRequest } from "@/lib/sandbox/limits";
import { type Asker, toAsker } from "@/lib/sandbox/turns";

const MOUNT = /^\/(?:api\/)?sandbox\/clob/;
const MAX_BODY_BYTES = 256 * 1024;
/** The longest values are lists of ids. */
const MAX_VALUE = 4_096;
const MAX_PARAMETERS = 300;
const MAX_NAME = 64;

/** Answers one request. `id` is the parameter of the path; empty for a path without one. */
export type SandboxHandler = (request: Request, id: string) => Promise<Response>;

export interface Common {
  query: URLSearchParams;
  /** The parameter of the path, such as an order's id; empty for a path without one. */
  id: string;
  body: string;
  /** The caller that waits for market data. */
  asker: Asker;
}

interface OpenCall extends Common {
  access: "open";
}
interface OwnerCall extends Common {
  access: "owner";
  owner: string;
  nonce: string;
}
interface KeyCall extends Common {
  access: "key";
  caller: SandboxCaller;
}
/** A call that places or cancels orders. */
interface TradingCall extends KeyCall {
  conditions: Conditions;
}

type CallOf<A> = A extends "open" ? OpenCall : A extends "owner" ? OwnerCall : KeyCall;

/**
 * Makes a handler of the CLOB: bare JSON, the venue's statuses and error bodies.
 *
 * @param access open to all, to an owner's signature (L1), or to an API key (L2).
 */
export function clobRoute<A extends "open" | "owner" | "key">(
  access: A,
  handle: (call: CallOf<A>) => Promise<unknown> | unknown,
): SandboxHandler {
  return answerClob(async (request, common) => {
    const call = await authenticate(access, request, common);
    return handle(call as CallOf<A>);
  });
}

/**
 * Makes a handler that places or cancels orders with an API key, under the operator's switches and the
 * header X-Rehearse.
 */
export function tradingRoute(
  kind: "place" | "cancel",
  handle: (call: TradingCall) => Promise<unknown>,
): SandboxHandler {
  return answerClob(async (request, common) => {
    const conditions = await readConditions(request.headers);
    if (kind === "place") refuseByRegion(conditions);
    const caller = await authenticateCaller(request, common);
    refuseUnknownFault(request.headers);
    refuseByPhase(conditions, kind);
    return handle({ ...common, access: "key", caller, conditions });
  });
}

/** Makes a handler that answers in the form of the CLOB and the relayer. */
export function answerClob(
  handle: (request: Request, common: Common) => Promise<unknown>,
): SandboxHandler {
  return async (request, id) => {
    try {
      await countSandboxRequest(request.headers);
      const query = readQuery(request);
      const body = await readBody(request);
      const common: Common = { query, id, body, asker: toAsker(request) };
      return Response.json((await handle(request, common)) ?? null);
    } catch (error) {
      return toClobFailure(error, request.method);
    }
  };
}

async function authenticate(
  access: "open" | "owner" | "key",
  request: Request,
  common: Common,
): Promise<OpenCall | OwnerCall | KeyCall> {
  if (access === "open") return { ...common, access };
  if (access === "owner") {
    if (request.method === "POST") await countSandboxKey(request.headers);
    return { ...common, access, ...authenticateOwner(request.headers) };
  }
  return { ...common, access, caller: await authenticateCaller(request, common) };
}

function authenticateCaller(request: Request, { body }: Common): Promise<SandboxCaller> {
  const path = new URL(request.url).pathname.replace(MOUNT, "");
  return authenticateKey(request, path, body);
}

async function readBody(request: Request): Promise<string> {
  if (request.body === null) return "";
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw new BodyTooLarge();
  const bytes = await readBytes(request.body, MAX_BODY_BYTES);
  if (bytes === null) throw new BodyTooLarge();
  return new TextDecoder().decode(bytes);
}

/** The rest of the body stays unread, so the connection cannot carry another request. */
class BodyTooLarge extends SandboxError {
  constructor() {
    super(400, "Invalid order payload");
  }
}

function toClobFailure(error: unknown, method: string): Response {
  const { message, extra, status, headers: own } = toSandboxError(error, method);
  const headers = error instanceof BodyTooLarge ? { ...own, connection: "close" } : own;
  if (message === "") return new Response(null, { status, headers });
  return Response.json({ error: message, ...extra }, { status, headers });
}

/** The input of a public read. */
export interface OpenRead {
  query: URLSearchParams;
  /** The parameter of the path; empty for a path without one. */
  id: string;
}

/** Makes a handler of Gamma, the relayer or the first Data API: bare JSON, no authentication. */
export function openRoute(read: (call: OpenRead) => Promise<unknown>): SandboxHandler {
  return async (request, id) => {
    try {
      await countSandboxRequest(request.headers);
      return Response.json(await read({ query: readQuery(request), id }));
    } catch (error) {
      if (error instanceof SandboxError) {
        return Response.json({ error: error.message }, { status: error.status });
      }
      log.error("sandbox read failed", errorFields(error));
      return Response.json({ error: "internal error" }, { status: 500 });
    }
  };
}

const V2_CODES: Record<number, { code: string; retryable: boolean }> = {
  400: { code: "invalid_request", retryable: false },
  404: { code: "not_found", retryable: false },
  429: { code: "rate_limited", retryable: true },
};
const V2_INTERNAL = { code: "internal", retryable: true };

/** Makes a handler of the second Data API, which has its own envelope around data and errors. */
export function v2Route(
  read: (query: URLSearchParams) => Promise<Record<string, unknown>>,
): SandboxHandler {
  return async (request) => {
    try {
      await countSandboxRequest(request.headers);
      return Response.json(await read(readQuery(request)));
    } catch (error) {
      return toV2Failure(error);
    }
  };
}

function toV2Failure(error: unknown): Response {
  const traceId = newId("req");
  if (error instanceof SandboxError) {
    const { code, retryable } = V2_CODES[error.status] ?? V2_INTERNAL;
    const body = { error: error.message, code, retryable, trace_id: traceId, ...error.extra };
    return Response.json(body, { status: error.status });
  }
  log.error("sandbox read failed", { requestId: traceId, ...errorFields(error) });
  const body = { error: "internal error", ...V2_INTERNAL, trace_id: traceId };
  return Response.json(body, { status: 500 });
}

/** Reads the query of a request. Throws 400 for a query that is too long to process. */
function readQuery(request: Request): URLSearchParams {
  const query = new URL(request.url).searchParams;
  if (query.size > MAX_PARAMETERS) {
    throw new SandboxError(400, `at most ${MAX_PARAMETERS} parameters at once`);
  }
  for (const [name, value] of query) {
    if (name.length > MAX_NAME) throw new SandboxError(400, "invalid parameter");
    if (value.length > MAX_VALUE) {
      throw new SandboxError(400, `invalid ${name}: at most ${MAX_VALUE} characters`);
    }
  }
  return query;
}
