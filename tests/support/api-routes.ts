import { readdirSync } from "node:fs";
import { createLane, type Lane, type RouteModule } from "@/lib/http/lane";
import type { ApiHandler } from "@/lib/http/route";
import { type ApiAnswer, throughLane } from "@/tests/support/api";

const ORIGIN = "http://127.0.0.1:3000";

export interface RouteFile {
  /** Path that the folder stands for, with parameters as in the table of routes. */
  path: string;
  module: RouteModule;
}

/** Every route file of the interface, read from the folders that Next mounts. */
export async function loadRouteFiles(): Promise<RouteFile[]> {
  const files = readdirSync("app/api", { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)route\.ts$/.test(file))
    .toSorted();
  const loaded: RouteFile[] = [];
  for (const file of files) {
    const module = (await import(/* @vite-ignore */ `../../app/api/${file}`)) as RouteModule;
    const folder = file.replace(/\/?route\.ts$/, "");
    loaded.push({ path: `/${folder.replaceAll(/\[(\w+)\]/g, "{$1}")}`, module });
  }
  return loaded;
}

export function isApiHandler(exported: unknown): exported is ApiHandler {
  return typeof exported === "function" && "operationId" in exported;
}

let lane: Promise<Lane> | undefined;

async function loadLane(): Promise<Lane> {
  return createLane((await loadRouteFiles()).map(({ module }) => module));
}

export interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/** Sends a request just as it is: nothing is added to its headers, its body may be a stream. */
export async function sendRaw(
  path: string,
  { method, headers, body }: RawRequest,
): Promise<Response> {
  lane ??= loadLane();
  const request = new Request(`${ORIGIN}${path}`, {
    method: method ?? "GET",
    headers: headers ?? {},
    ...(body === undefined ? {} : { body, duplex: "half" }),
  } as RequestInit);
  const response = await throughLane(await lane, request);
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
