import { readdirSync } from "node:fs";
import { createRouter, type ApiRouter, type RouteModule } from "@/lib/api/router";
import type { ApiHandler } from "@/lib/api/route";
import { type ApiAnswer, throughRouter } from "@/tests/support/api/call-api";

const ORIGIN = "http://127.0.0.1:3000";

export interface RouteFile {
  /** The path of the folder, with parameters as in the table of routes. */
  path: string;
  module: RouteModule;
}

/** Loads every route file of the API from the folders that Next serves. */
export async function loadRouteFiles(): Promise<RouteFile[]> {
  const files = readdirSync("app/api", { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)route\.ts$/.test(file))
    .toSorted();
  const loaded: RouteFile[] = [];
  for (const file of files) {
    const module = (await import(/* @vite-ignore */ `../../../app/api/${file}`)) as RouteModule;
    const folder = file.replace(/\/?route\.ts$/, "");
    loaded.push({ path: `/${folder.replaceAll(/\[(\w+)\]/g, "{$1}")}`, module });
  }
  return loaded;
}

export function isApiHandler(exported: unknown): exported is ApiHandler {
  return typeof exported === "function" && "operationId" in exported;
}

let router: Promise<ApiRouter> | undefined;

async function loadRouter(): Promise<ApiRouter> {
  return createRouter((await loadRouteFiles()).map(({ module }) => module));
}

export interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/** Sends a request unchanged: without added headers, and with any body, such as a stream. */
export async function sendRaw(
  path: string,
  { method, headers, body }: RawRequest,
): Promise<Response> {
  router ??= loadRouter();
  const request = new Request(`${ORIGIN}${path}`, {
    method: method ?? "GET",
    headers: headers ?? {},
    ...(body === undefined ? {} : { body, duplex: "half" }),
  } as RequestInit);
  const response = await throughRouter(await router, request);
  if (!response) throw new Error(`${method} ${path} is not for the interface`);
  return response;
}

export async function toAnswer(response: Response): Promise<ApiAnswer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: JSON.parse(text) as ApiAnswer["body"],
  };
}
