// Requests without an idempotency key.
import { writeJson } from "./decimal.ts";
import { type CallOptions, hadNoEffect, isTemporary, type Patience, repeat } from "./repeat.ts";
import type { Reply, Request, Server } from "./transport.ts";

type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

export class Caller {
  constructor(
    private readonly server: Server,
    private readonly patience: Patience,
  ) {}

  /** Reads. Repeats until there is a response, or the deadline passes. */
  read<Data>(path: string, query: Query = {}, options: CallOptions = {}): Promise<Data> {
    const request = { method: "GET", path: `${path}${writeQuery(query)}` } as const;
    return this.settle(request, (reply) => !isTemporary(reply), options);
  }

  /** Sends a write that has the same effect once or several times, and repeats it as a read. */
  write<Data>(
    method: Request["method"],
    path: string,
    body?: object,
    options: CallOptions = {},
  ): Promise<Data> {
    const request = { method, path, body: body && writeJson(body) };
    return this.settle(request, (reply) => !isTemporary(reply), options);
  }

  /**
   * Sends a write that would have another effect if it were repeated. Repeats it only if the rate limit
   * refused it.
   */
  writeOnce<Data>(path: string, body?: object, options: CallOptions = {}): Promise<Data> {
    const request = { method: "POST", path, body: body && writeJson(body) } as const;
    return this.settle(request, (reply) => !hadNoEffect(reply), options);
  }

  private async settle<Data>(
    request: Request,
    isSettled: (reply: Reply) => boolean,
    { signal, deadlineMs = this.patience.deadlineMs }: CallOptions,
  ): Promise<Data> {
    const patience = { ...this.patience, deadlineMs, signal };
    const { reply } = await repeat(this.server, () => request, isSettled, patience);
    if (reply.kind === "success") return reply.data as Data;
    throw reply.error;
  }
}

/** Writes a query. Lists are written with commas, and what is undefined is left out. */
function writeQuery(query: Query): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(
    entries.map(([name, value]) => [name, String(value)]),
  ).toString();
  return text === "" ? "" : `?${text}`;
}

/** Writes a segment of a path. An empty one, "." and ".." would make another path. */
export function segment(name: string, value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} must be an id, not "${value}"`);
  return encodeURIComponent(value);
}

/** Reads the address of the service, without a slash at the end. */
export function readBaseUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl))
    throw new TypeError(
      `baseUrl must be an address such as https://ante.example, not "${baseUrl}"`,
    );
  const { protocol, origin, pathname } = new URL(baseUrl);
  if (protocol !== "https:" && protocol !== "http:")
    throw new TypeError("baseUrl must begin with https:// or http://");
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}
