// The handlers of route files by the names that the table of endpoints gives them.
import type { Door } from "@/tests/support/authorization";
import { ENDPOINTS } from "@/tests/support/authorization";

type Handler = (request: Request, context?: unknown) => Promise<Response> | Response;

export interface Endpoint {
  /** "GET /api/ui/summary" */
  name: string;
  method: string;
  path: string;
}

export const endpointsOf = (door: Door): Endpoint[] =>
  ENDPOINTS[door].map((name) => {
    const [method = "", path = ""] = name.split(" ");
    return { name, method, path };
  });

/** Calls the handler of an endpoint by itself, as Next would: parameters come as `params`. */
export async function callDoor(
  { method, path }: Endpoint,
  { query = "", ...init }: RequestInit & { query?: string } = {},
  params: Record<string, string> = {},
): Promise<Response> {
  const module = (await import(/* @vite-ignore */ `../../app${path}/route.ts`)) as Record<
    string,
    Handler
  >;
  const handler = module[method];
  if (!handler) throw new Error(`${method} ${path} has no handler`);
  const real = path.replaceAll(/\[(?:\.{3})?(\w+)\]/g, (_, name: string) => params[name] ?? "x");
  const body = method === "POST" && init.body === undefined ? { body: "{}" } : {};
  const url = `http://127.0.0.1:3000${real}${query}`;
  return handler(new Request(url, { method, ...body, ...init }), {
    params: Promise.resolve(params),
  });
}
