import "server-only";
import { readBytes } from "@/lib/http/body";
import { authenticateKey, authenticateOwner, type SandboxCaller } from "@/lib/sandbox/authenticate";
import { SandboxError, toSandboxError } from "@/lib/sandbox/error";
import { countSandboxKey, countSandboxRequest } from "@/lib/sandbox/limits";

const MOUNT = /^\/(?:api\/)?sandbox\/clob/;
const MAX_BODY_BYTES = 256 * 1024;

interface Common {
  query: URLSearchParams;
  /** What the path's parameter stands for, such as an order's id; empty without one. */
  id: string;
  body: string;
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

type CallOf<A> = A extends "open" ? OpenCall : A extends "owner" ? OwnerCall : KeyCall;

/** What Next hands to a route with a parameter in its path. */
interface RouteContext {
  params: Promise<Record<string, string | string[] | undefined>>;
}

/**
 * Makes a handler that speaks the venue's protocol: bare JSON, its statuses, its error bodies.
 *
 * @param access open to all, to an owner's signature (L1), or to an API key (L2).
 */
export function clobRoute<A extends "open" | "owner" | "key">(
  access: A,
  handle: (call: CallOf<A>) => Promise<unknown> | unknown,
): (request: Request, context?: RouteContext) => Promise<Response> {
  return async (request, context) => {
    try {
      await countSandboxRequest(request.headers);
      const url = new URL(request.url);
      const body = await readBody(request);
      const [id = ""] = Object.values((await context?.params) ?? {}).flat();
      const common: Common = { query: url.searchParams, id, body };
      const call = await prove(access, request, common);
      return Response.json((await handle(call as CallOf<A>)) ?? null);
    } catch (error) {
      return toResponse(error, request.method);
    }
  };
}

async function prove(
  access: "open" | "owner" | "key",
  request: Request,
  common: Common,
): Promise<OpenCall | OwnerCall | KeyCall> {
  if (access === "open") return { ...common, access };
  if (access === "owner") {
    if (request.method === "POST") await countSandboxKey(request.headers);
    return { ...common, access, ...authenticateOwner(request.headers) };
  }
  const path = new URL(request.url).pathname.replace(MOUNT, "");
  return { ...common, access, caller: await authenticateKey(request, path, common.body) };
}

async function readBody(request: Request): Promise<string> {
  if (request.body === null) return "";
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw new BodyTooLarge();
  const bytes = await readBytes(request.body, MAX_BODY_BYTES);
  if (bytes === null) throw new BodyTooLarge();
  return new TextDecoder().decode(bytes);
}

/** The rest of it is not read, so that nothing can follow on its connection. */
class BodyTooLarge extends SandboxError {
  constructor() {
    super(400, "Invalid order payload");
  }
}

function toResponse(error: unknown, method: string): Response {
  const headers: HeadersInit = error instanceof BodyTooLarge ? { connection: "close" } : {};
  const { message, extra, status } = toSandboxError(error, method);
  return Response.json({ error: message, ...extra }, { status, headers });
}
