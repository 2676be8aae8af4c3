import "server-only";
import { Readable } from "node:stream";
import { Pool } from "undici";
import type { z } from "zod";
import { env } from "@/lib/env";
import { AppError, assert } from "@/lib/errors";
import type { Permission } from "@/lib/venue/port";

export type Service = "clob" | "gamma" | "data" | "relayer" | "rpc";

export interface UpstreamRequest {
  service: Service;
  method: "GET" | "POST" | "DELETE";
  /** Path without the host, which is what an L2 signature covers. */
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

/** No response arrived. `isSent` is false only if nothing can have reached the venue. */
export class NoResponse extends Error {
  override readonly name = "NoResponse";

  constructor(
    readonly reason: "timeout" | "connection",
    readonly isSent: boolean,
    options: ErrorOptions,
  ) {
    super(`no response from the venue: ${reason}`, options);
  }
}

const READ_TIMEOUT_MS = 8_000;
const CONNECTIONS = 16;
const ANSWERING_TIMEOUT_MS = 2_000;
const KEEP_ALIVE_MS = 30_000;
const CONNECT_TIMEOUT_MS = 3_000;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** System calls before a connection exists: if they fail, nothing was sent. */
const BEFORE_CONNECTED = new Set(["connect", "getaddrinfo"]);

const pools = new Map<string, Pool>();

/**
 * Sends one request over the host's keep-alive pool and reads the whole response. It does not follow
 * redirects and does not retry. Throws NoResponse if no response arrives in time.
 *
 * @param permission checked again when the request is written to its connection. If it has expired by
 *   then, nothing is sent and PermissionEnded is thrown.
 */
export async function send(
  request: UpstreamRequest,
  timeoutMs: number,
  permission: Permission | null = null,
): Promise<UpstreamReply> {
  const base = new URL(getBaseUrl(request.service));
  try {
    const reply = await openPool(base.origin).request({
      method: request.method,
      path: `${base.pathname.replace(/\/+$/, "")}${request.path}${toQueryText(request.query)}`,
      headers: {
        accept: "application/json",
        "user-agent": "ante",
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
        ...(permission ? { "content-length": String(Buffer.byteLength(request.body ?? "")) } : {}),
        ...request.headers,
      },
      body: permission ? createGuardedBody(request.body ?? "", permission) : (request.body ?? null),
      // By default, undici closes the connection after a DELETE with a body, which cancels use.
      reset: false,
      signal: AbortSignal.timeout(timeoutMs),
    });
    return {
      status: reply.statusCode,
      headers: flattenHeaders(reply.headers),
      text: await reply.body.text(),
    };
  } catch (error) {
    if (error instanceof PermissionEnded) throw error;
    throw toNoResponse(error);
  }
}

/** The permission to send expired before anything was sent. */
export class PermissionEnded extends Error {
  override readonly name = "PermissionEnded";
}

/**
 * Creates a body that is read only once a connection exists. undici writes the head together with the
 * first chunk of the body. Without a chunk it closes the connection before any byte is sent.
 */
function createGuardedBody(body: string, permission: Permission): Readable {
  return new Readable({
    read() {
      if (permission.leftMs <= 0) {
        this.destroy(new PermissionEnded("the permission to send has expired"));
        return;
      }
      this.push(body, "utf8");
      this.push(null);
    },
  });
}

/** Whether the CLOB host responds within two seconds with a status below 500. */
export async function isAnswering(): Promise<boolean> {
  try {
    const probe = { service: "clob", method: "GET", path: "/version" } as const;
    return (await send(probe, ANSWERING_TIMEOUT_MS)).status < 500;
  } catch (error) {
    if (error instanceof NoResponse) return false;
    throw error;
  }
}

/** Closes every connection, so that the process can stop. */
export async function closeUpstreams(): Promise<void> {
  const open = [...pools.values()];
  pools.clear();
  await Promise.all(open.map((pool) => pool.close()));
}

/** A response of the venue with a status other than 200. */
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
 * Reads JSON that must match the schema. Throws the 502 code that tells whether a retry makes sense:
 * an `UpstreamStatus` for any status other than 200.
 */
export async function getJson<Schema extends z.ZodType>(
  service: Service,
  path: string,
  query: Record<string, string | readonly string[]>,
  schema: Schema,
): Promise<z.output<Schema>> {
  return readJson({ service, method: "GET", path, query }, schema);
}

/** Like `getJson`, for requests with headers or a body. */
export async function readJson<Schema extends z.ZodType>(
  request: UpstreamRequest,
  schema: Schema,
  timeoutMs = READ_TIMEOUT_MS,
): Promise<z.output<Schema>> {
  const reply = await sendOrFail(request, timeoutMs);
  if (reply.status !== 200) throw toUpstreamStatus(reply);
  const parsed = schema.safeParse(parseJson(reply.text));
  if (parsed.success) return parsed.data;
  throw new AppError("UPSTREAM_BAD_RESPONSE", "The venue's response has an unknown form.", {
    cause: new Error(`${request.path}: ${parsed.error.issues[0]?.path.join(".") ?? ""}`),
  });
}

/** Parses JSON; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns a Retry-After header in milliseconds; 0 without one. */
export function retryAfterMs(headers: Record<string, string>): number {
  const seconds = Number(headers["retry-after"] ?? "");
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3_600) * 1_000 : 0;
}

async function sendOrFail(request: UpstreamRequest, timeoutMs: number): Promise<UpstreamReply> {
  try {
    return await send(request, timeoutMs);
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    throw error.reason === "timeout"
      ? new AppError("UPSTREAM_TIMEOUT", "The venue did not respond in time. Try again.", {
          cause: error,
        })
      : new AppError("UPSTREAM_UNAVAILABLE", "The venue cannot be reached. Try again.", {
          cause: error,
        });
  }
}

function toUpstreamStatus({ status, headers }: UpstreamReply): UpstreamStatus {
  if (status === 429) {
    const seconds = Math.max(1, Math.ceil(retryAfterMs(headers) / 1_000));
    const message = `The venue limits the number of requests. Try again in ${seconds} s.`;
    return new UpstreamStatus(status, "UPSTREAM_RATE_LIMITED", message, {
      "Retry-After": String(seconds),
    });
  }
  if (status === 401 || status === 403) {
    return new UpstreamStatus(
      status,
      "UPSTREAM_AUTH_FAILED",
      "The venue rejected this wallet's credentials.",
    );
  }
  if (status === 425 || status === 503) {
    return new UpstreamStatus(
      status,
      "UPSTREAM_UNAVAILABLE",
      "The venue is restarting. Try again.",
    );
  }
  return new UpstreamStatus(status, "UPSTREAM_ERROR", `The venue responded with status ${status}.`);
}

function getBaseUrl(service: Service): string {
  const { CLOB_API_URL, GAMMA_API_URL, DATA_API_URL, RELAYER_API_URL, POLYGON_RPC_URL } = env();
  const urls = {
    clob: CLOB_API_URL,
    gamma: GAMMA_API_URL,
    data: DATA_API_URL,
    relayer: RELAYER_API_URL,
    rpc: POLYGON_RPC_URL,
  };
  const url = urls[service];
  assert(url !== undefined, `the address of ${service} is configured before it is used`);
  return url;
}

function openPool(origin: string): Pool {
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

function toQueryText(query: UpstreamRequest["query"]): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map((each): [string, string] => [name, each]),
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs).toString()}`;
}

function flattenHeaders(headers: Record<string, string | string[] | undefined>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}

function toNoResponse(error: unknown): NoResponse {
  const code = readCode(error);
  const name = error instanceof Error ? error.name : "";
  const isTimeout = name === "TimeoutError" || name === "AbortError" || code.endsWith("_TIMEOUT");
  return new NoResponse(isTimeout ? "timeout" : "connection", !isNeverConnected(error), {
    cause: error,
  });
}

/**
 * Whether an error proves that no connection was established. Errors such as EHOSTUNREACH can also end
 * a connection after a request was sent, but then another system call fails.
 */
export function isNeverConnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // A host with several addresses fails with one error per address.
  if (error instanceof AggregateError) {
    return error.errors.length > 0 && error.errors.every(isNeverConnected);
  }
  if (readCode(error) === "UND_ERR_CONNECT_TIMEOUT") return true;
  return "syscall" in error && BEFORE_CONNECTED.has(String(error.syscall));
}

const readCode = (error: unknown) =>
  error instanceof Error && "code" in error ? String(error.code) : "";
