// Follows the events of an account without missing one: a stream that connects again where it broke off.
import { ApiError, NoResponseError } from "./errors.ts";
import { readJson } from "./decimal.ts";
import { computePause, isTemporary, type Patience, pause } from "./repeat.ts";
import { open, readReply, type Reply, type Server } from "./transport.ts";
import type { AccountEvent, EventType } from "./types.ts";

export interface FollowOptions {
  /** The number of the last event that you have; 0 for the start of the epoch. By default it starts now. */
  after?: number | undefined;
  types?: readonly EventType[] | undefined;
  /** Ends the iteration. */
  signal?: AbortSignal | undefined;
  /** Called when the connection broke, before the next attempt. */
  onDisconnect?: ((reason: Error) => void) | undefined;
}

/** The service sends a comment every 15 seconds. A connection that is silent for longer is broken. */
const SILENCE_MS = 45_000;

/** An event, and its JSON text as webhooks send it. */
export interface FollowedEvent {
  event: AccountEvent;
  text: string;
}

/**
 * Yields events from number `after` on, forever.
 *
 * @throws ApiError if the service refuses, such as INVALID_CURSOR after a reset or a revoked key.
 */
export async function* follow(
  server: Server,
  { firstPauseMs }: Patience,
  { types, signal, onDisconnect, ...options }: FollowOptions & { after: number },
): AsyncGenerator<FollowedEvent, void, void> {
  let after = options.after;
  let failures = 0;
  for (;;) {
    if (signal?.aborted) return;
    const connection = new AbortController();
    const leave = () => connection.abort(signal?.reason);
    signal?.addEventListener("abort", leave, { once: true });
    try {
      for await (const followed of readStream(server, { after, types, connection })) {
        failures = 0;
        // An event that comes twice, by a proxy for example, is handled once.
        if (followed.event.seq <= after) continue;
        after = followed.event.seq;
        yield followed;
      }
    } catch (error) {
      if (signal?.aborted) return;
      const reply = toReply(error);
      if (!reply || !isTemporary(reply)) throw error;
      failures += 1;
      onDisconnect?.(reply.error);
      await pause(computePause(reply, failures, firstPauseMs), signal).catch(() => {});
    } finally {
      signal?.removeEventListener("abort", leave);
      connection.abort();
    }
  }
}

function toReply(error: unknown): Exclude<Reply, { kind: "success" }> | null {
  if (error instanceof ApiError) return { kind: "failure", error };
  return error instanceof NoResponseError ? { kind: "none", error } : null;
}

interface Connecting {
  after: number;
  types: readonly EventType[] | undefined;
  connection: AbortController;
}

/** Yields the events of one connection. It always ends with an error. */
async function* readStream(
  server: Server,
  { after, types, connection }: Connecting,
): AsyncGenerator<FollowedEvent, never, void> {
  let timer = setTimeout(() => connection.abort(), SILENCE_MS);
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => connection.abort(), SILENCE_MS);
  };
  const selection = types === undefined ? "" : `&types=${types.join()}`;
  const path = `/v1/events/stream?after=${after}${selection}`;
  try {
    const response = await open(server, { method: "GET", path }, connection.signal);
    if (response.status !== 200 || !response.body) {
      const reply = readReply(response, await response.text());
      throw reply.kind === "success"
        ? new NoResponseError("The response is no stream.")
        : reply.error;
    }
    for await (const { event, data } of readMessages(response.body, restart)) {
      if (event === "end") break;
      if (data !== "") yield { event: parseEvent(data), text: data };
    }
    throw new NoResponseError("The stream ended.");
  } catch (cause) {
    if (toReply(cause)) throw cause;
    throw new NoResponseError("The connection of the stream broke.", { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** A proxy can garble a message: the connection counts as broken then. */
function parseEvent(data: string): AccountEvent {
  try {
    return readJson(data) as AccountEvent;
  } catch (cause) {
    throw new NoResponseError("The stream has a message that isn't JSON.", { cause });
  }
}

/** Reads server-sent events. A message that was cut is left out. Comments come as messages without data. */
async function* readMessages(
  body: ReadableStream<Uint8Array>,
  onData: () => void,
): AsyncGenerator<{ event: string; data: string }, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let unread = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onData();
      unread = (unread + decoder.decode(value, { stream: true })).replaceAll("\r\n", "\n");
      const blocks = unread.split("\n\n");
      unread = blocks.pop() ?? "";
      for (const block of blocks) yield parseMessage(block);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function parseMessage(block: string): { event: string; data: string } {
  const getAll = (field: string) =>
    block
      .split("\n")
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).replace(/^ /, ""));
  return { event: getAll("event").join(""), data: getAll("data").join("\n") };
}
