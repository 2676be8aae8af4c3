import { readdirSync } from "node:fs";
import { createLane, type Lane, type RouteModule } from "@/lib/http/lane";
import { readRequest } from "@/lib/http/request";
import { webResponse } from "@/lib/http/respond";

const FILES = readdirSync("app/api", { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|\/)route\.ts$/.test(file))
  .toSorted();

let lane: Promise<Lane> | undefined;

async function loadLane(): Promise<Lane> {
  const modules: RouteModule[] = [];
  for (const file of FILES)
    modules.push((await import(/* @vite-ignore */ `../../app/api/${file}`)) as RouteModule);
  return createLane(modules);
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  /** The body, byte for byte. */
  text: string;
  body: { ok: boolean; data?: never; error?: { code: string; message: string } };
}

export interface ApiRequest {
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** What the lane answers a Web Request; null when it is for a page. */
export async function throughLane(through: Lane, request: Request): Promise<Response | null> {
  const answer = await through.answer(readRequest(request));
  return answer ? webResponse(answer) : through.operate(request);
}

/** Calls the interface as a program would, through the gate and the handlers of the route files. */
export async function callApi(
  method: string,
  path: string,
  { key, body, headers = {} }: ApiRequest = {},
): Promise<ApiAnswer> {
  lane ??= loadLane();
  const request = new Request(`http://127.0.0.1:3000${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const response = await throughLane(await lane, request);
  if (!response) throw new Error(`${method} ${path} is not for the interface`);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}
