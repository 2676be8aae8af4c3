import "server-only";
import { Pool } from "undici";
import type { z } from "zod";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

export type Service = "clob" | "gamma" | "data";

export interface UpstreamRequest {
  service: Service;
  method: "GET" | "POST" | "DELETE";
  /** Without the host; what an L2 signature covers. */
  path: string;
  query?: Record<string, string | readonly string[]>;
  headers?: Record<string, string>;
  body?: string;
}

export interface UpstreamReply {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** No answer came. `isSent` is false only when nothing can have reached the venue. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";

  constructor(
    readonly reason: "timeout" | "connection",
    readonly isSent: boolean,
    options: ErrorOptions,
  ) {
    super(`the venue did not answer: ${reason}`, options);
  }
}

const READ_TIMEOUT_MS = 8_000;
const CONNECTIONS = 16;
const KEEP_ALIVE_MS = 30_000;
const CONNECT_TIMEOUT_MS = 3_000;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** Errors of a connection that was never there. */
const NEVER_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const pools = new Map<string, Pool>();

/**
 * Sends one request over the host's keep-alive pool and reads the whole answer. Redirects are not
 * followed, nothing is repeated. Throws NoAnswer when there is none within the time.
 */
export async function send(request: UpstreamRequest, timeoutMs: number): Promise<UpstreamReply> {
  const base = new URL(baseUrl(request.service));
  try {
    const reply = await poolOf(base.origin).request({
      method: request.method,
      path: `${base.pathname.replace(/\/+$/, "")}${request.path}${queryText(request.query)}`,
      headers: {
        accept: "application/json",
        "user-agent": "ante",
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
        ...request.headers,
      },
      body: request.body ?? null,
      // Else a DELETE with a body, which is how orders are canceled, would end its connection.
      reset: false,
      signal: AbortSignal.timeout(timeoutMs),
    });
    return {
      status: reply.statusCode,
      headers: flatHeaders(reply.headers),
      text: await reply.body.text(),
    };
  } catch (error) {
    throw toNoAnswer(error);
  }
}

/** Ends every connection, so that the process can stop. */
export async function closeUpstreams(): Promise<void> {
  const open = [...pools.values()];
  pools.clear();
  await Promise.all(open.map((pool) => pool.close()));
}

/** An answer of the venue that is not what was asked for. */
export class UpstreamStatus extends AppError {
  constructor(
    readonly upstreamStatus: number,
    code: AppError["code"],
    message: string,
    headers: Record<string, string> = {},
  ) {
    super(code, message, { headers });
  }
}

/**
 * Reads JSON that must be of the schema. Throws the 502 code that says whether to ask again: an
 * `UpstreamStatus` where the venue answered otherwise than with 200.
 */
export async function getJson<Schema extends z.ZodType>(
  service: Service,
  path: string,
  query: Record<string, string | readonly string[]>,
  schema: Schema,
): Promise<z.output<Schema>> {
  return readJson({ service, method: "GET", path, query }, schema);
}

/** As `getJson`, for requests with their own headers or body. */
export async function readJson<Schema extends z.ZodType>(
  request: UpstreamRequest,
  schema: Schema,
  timeoutMs = READ_TIMEOUT_MS,
): Promise<z.output<Schema>> {
  const reply = await sendOrFail(request, timeoutMs);
  if (reply.status !== 200) throw failureOf(reply);
  const parsed = schema.safeParse(parseJson(reply.text));
  if (parsed.success) return parsed.data;
  throw new AppError("UPSTREAM_BAD_RESPONSE", "the venue's answer is not of the known form", {
    cause: new Error(`${request.path}: ${parsed.error.issues[0]?.path.join(".") ?? ""}`),
  });
}

/** JSON as a value, or undefined, which is no JSON value. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Seconds of a Retry-After header in milliseconds; 0 without one. */
export function retryAfterMs(headers: Record<string, string>): number {
  const seconds = Number(headers["retry-after"] ?? "");
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3_600) * 1_000 : 0;
}

async function sendOrFail(request: UpstreamRequest, timeoutMs: number): Promise<UpstreamReply> {
  try {
    return await send(request, timeoutMs);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw error.reason === "timeout"
      ? new AppError("UPSTREAM_TIMEOUT", "the venue did not answer in time; try again", {
          cause: error,
        })
      : new AppError("UPSTREAM_UNAVAILABLE", "the venue cannot be reached; try again", {
          cause: error,
        });
  }
}

function failureOf({ status, headers }: UpstreamReply): UpstreamStatus {
  if (status === 429) {
    const seconds = Math.max(1, Math.ceil(retryAfterMs(headers) / 1_000));
    const message = `the venue limits requests; try again in ${seconds} s`;
    return new UpstreamStatus(status, "UPSTREAM_RATE_LIMITED", message, {
      "Retry-After": String(seconds),
    });
  }
  if (status === 401 || status === 403) {
    return new UpstreamStatus(status, "UPSTREAM_AUTH_FAILED", "the venue refused our credentials");
  }
  if (status === 425 || status === 503) {
    return new UpstreamStatus(status, "UPSTREAM_UNAVAILABLE", "the venue is restarting; try again");
  }
  return new UpstreamStatus(status, "UPSTREAM_ERROR", `the venue answered with status ${status}`);
}

function baseUrl(service: Service): string {
  const { CLOB_API_URL, GAMMA_API_URL, DATA_API_URL } = env();
  return { clob: CLOB_API_URL, gamma: GAMMA_API_URL, data: DATA_API_URL }[service];
}

function poolOf(origin: string): Pool {
  const open = pools.get(origin);
  if (open) return open;
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    maxResponseSize: MAX_RESPONSE_BYTES,
  });
  pools.set(origin, pool);
  return pool;
}

function queryText(query: UpstreamRequest["query"]): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map((each): [string, string] => [name, each]),
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs).toString()}`;
}

function flatHeaders(headers: Record<string, string | string[] | undefined>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}

function toNoAnswer(error: unknown): NoAnswer {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const name = error instanceof Error ? error.name : "";
  const isTimeout = name === "TimeoutError" || name === "AbortError" || code.endsWith("_TIMEOUT");
  return new NoAnswer(isTimeout ? "timeout" : "connection", !NEVER_CONNECTED.has(code), {
    cause: error,
  });
}
