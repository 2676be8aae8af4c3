// Calls the handlers of route files by their names in the table of endpoints.
import type { Door } from "@/tests/support/authorization/table";
import { answerSandbox, isSandboxPath } from "@/lib/sandbox/router";
import { ENDPOINTS } from "@/tests/support/authorization/table";

type Handler = (request: Request, context?: unknown) => Promise<Response> | Response;

export interface Endpoint {
  /** "GET /api/ui/summary" */
  name: string;
  method: string;
  path: string;
}

export const listEndpoints = (door: Door): Endpoint[] =>
  ENDPOINTS[door].map((name) => {
    const [method = "", path = ""] = name.split(" ");
    return { name, method, path };
  });

/** Calls the handler of an endpoint directly, like Next: parameters come as `params`. */
export async function callDoor(
  { method, path }: Endpoint,
  { query = "", ...init }: RequestInit & { query?: string } = {},
  params: Record<string, string> = {},
): Promise<Response> {
  const real = path.replaceAll(/\[(?:\.{3})?(\w+)\]/g, (_, name: string) => params[name] ?? "x");
  const body = method === "POST" && init.body === undefined ? { body: "{}" } : {};
  const request = new Request(`http://127.0.0.1:3000${real}${query}`, { method, ...body, ...init });
  if (isSandboxPath(real)) return answerSandbox(request);
  const module = (await import(/* @vite-ignore */ `../../../app${path}/route.ts`)) as Record<
    string,
    Handler
  >;
  const handler = module[method];
  if (!handler) throw new Error(`${method} ${path} has no handler`);
  return handler(request, { params: Promise.resolve(params) });
}
