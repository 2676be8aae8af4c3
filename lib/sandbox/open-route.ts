import "server-only";
import { errorFields, log } from "@/lib/log";
import { SandboxError } from "@/lib/sandbox/error";
import { countSandboxRequest } from "@/lib/sandbox/limits";

/** What a public read is asked for. */
export interface OpenRead {
  query: URLSearchParams;
  /** What the path's parameter stands for; empty without one. */
  id: string;
}

interface RouteContext {
  params: Promise<Record<string, string | string[] | undefined>>;
}

/** Makes a handler of the venue's public data services: bare JSON, no authentication. */
export function openRoute(
  read: (call: OpenRead) => Promise<unknown>,
): (request: Request, context?: RouteContext) => Promise<Response> {
  return async (request, context) => {
    try {
      await countSandboxRequest(request.headers);
      const [id = ""] = Object.values((await context?.params) ?? {}).flat();
      return Response.json(await read({ query: new URL(request.url).searchParams, id }));
    } catch (error) {
      if (error instanceof SandboxError) {
        return Response.json({ error: error.message }, { status: error.status });
      }
      log.error("sandbox read failed", errorFields(error));
      return Response.json({ error: "internal error" }, { status: 500 });
    }
  };
}

/** A whole number of the query within bounds, or its default. Throws 400. */
export function numberOf(
  query: URLSearchParams,
  name: string,
  { fallback, max }: { fallback: number; max: number },
): number {
  const text = query.get(name);
  if (text === null) return fallback;
  if (!/^\d{1,9}$/.test(text)) throw new SandboxError(400, `invalid ${name}`);
  return Math.min(max, Number(text));
}
