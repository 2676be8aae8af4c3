import { readdirSync } from "node:fs";
import { expect } from "vitest";
import { createRouter, type ApiRouter, type RouteModule } from "@/lib/api/router";
import { readRequest } from "@/lib/api/http/request";
import { webResponse } from "@/lib/api/http/respond";
import { findOperation } from "@/lib/api/gate/find-operation";
import { listErrorCodes } from "@/lib/api/operations/operation";

const FILES = readdirSync("app/api", { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|\/)route\.ts$/.test(file))
  .toSorted();

let router: Promise<ApiRouter> | undefined;

async function loadRouter(): Promise<ApiRouter> {
  const modules: RouteModule[] = [];
  for (const file of FILES)
    modules.push((await import(/* @vite-ignore */ `../../../app/api/${file}`)) as RouteModule);
  return createRouter(modules);
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

/** Returns the router's response to a Web Request; null if the request is for a page. */
export async function throughRouter(
  through: ApiRouter,
  request: Request,
): Promise<Response | null> {
  const answer = await through.answer(readRequest(request));
  return answer ? webResponse(answer, request.method) : through.operate(request);
}

/** Calls the API like a program, through the gate and the handlers of the route files. */
export async function callApi(
  method: string,
  path: string,
  sent: ApiRequest = {},
): Promise<ApiAnswer> {
  const response = await requestApi(method, path, sent);
  const text = await readWhole(response);
  if (text !== "") expectDocumentedCode(method, path, text);
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === "" ? null : JSON.parse(text),
  };
}

/** Reads a body; of a stream, which does not end, nothing. */
async function readWhole(response: Response): Promise<string> {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  if (!isStream) return response.text();
  await response.body?.cancel();
  return "";
}

/** Sends a request to the API, and returns the response before its body is read. */
export async function requestApi(
  method: string,
  path: string,
  { key, body, headers = {} }: ApiRequest = {},
): Promise<Response> {
  router ??= loadRouter();
  const request = new Request(`http://127.0.0.1:3000${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const response = await throughRouter(await router, request);
  if (!response) throw new Error(`${method} ${path} is not an API request`);
  return response;
}

/** The OpenAPI document lists, for each operation, every error code that it returns. */
function expectDocumentedCode(method: string, path: string, text: string): void {
  const { error } = JSON.parse(text) as ApiAnswer["body"];
  // A path that cannot be decoded belongs to no operation.
  if (!error || error.code === "MALFORMED_URL") return;
  const found = findOperation(method, path.split("?")[0] ?? "");
  if (!found) return;
  expect(listErrorCodes(found.operation), `${found.id} returned ${error.code}`).toContain(
    error.code,
  );
}
