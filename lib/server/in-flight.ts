import "server-only";
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/**
 * Responses in flight by connection, oldest first. One list per connection, because a map of all
 * responses would change with each request, and its outgrown tables keep requests alive until a full
 * garbage collection.
 */
const connections = new Map<Duplex, ServerResponse[]>();

/** Tracks the connections of a server. */
export function watchConnections(server: Server): void {
  server.on("connection", (socket: Duplex) => {
    // A connection whose upgrade was declined is emitted a second time.
    if (connections.has(socket)) return;
    connections.set(socket, []);
    socket.once("close", () => connections.delete(socket));
  });
}

/** Tracks a response until it is sent or its connection closes. */
export function trackResponse({ socket }: IncomingMessage, response: ServerResponse): void {
  const responses = connections.get(socket);
  if (!responses) return;
  responses.push(response);
  response.once("close", () => responses.splice(responses.indexOf(response), 1));
}

/** Returns whether a completely received request of a connection is still in progress. */
export function isBusy(socket: Duplex): boolean {
  return connections.get(socket)?.some(({ req }) => req.complete) ?? false;
}

/** Waits until all earlier requests of a connection have been answered. */
export async function waitForResponses(socket: Duplex): Promise<void> {
  const last = connections.get(socket)?.at(-1);
  if (last) await once(last, "close");
}

/** Stops tracking a connection that was upgraded to another protocol. */
export function untrack(socket: Duplex): void {
  connections.delete(socket);
}

/** Closes connections without a request: idle ones, and those with an incomplete request head. */
export function closeIdle(): void {
  for (const [socket, responses] of connections) if (responses.length === 0) socket.destroy();
}

/**
 * Marks the last response of each connection with `connection: close`. A client that sent another
 * request on the connection would not learn its outcome.
 */
export function endKeepAlive(): void {
  for (const responses of connections.values()) {
    const last = responses.at(-1);
    if (last) last.shouldKeepAlive = false;
  }
}
