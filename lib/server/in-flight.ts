import "server-only";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/**
 * Answers under way, oldest first. A list of its own for each connection, which lasts as long as
 * that does: one table of all answers would be written with each request, and what a table has
 * outgrown keeps the requests in it alive until a full collection.
 */
const connections = new Map<Duplex, ServerResponse[]>();

/** Notes what begins and ends on the connections of a server. */
export function watchConnections(server: Server): void {
  server.on("connection", (socket: Duplex) => {
    // What asked to be upgraded, and was not, connects a second time.
    if (connections.has(socket)) return;
    connections.set(socket, []);
    socket.once("close", () => connections.delete(socket));
  });
}

/** Notes an answer until it is sent, or its connection gone. */
export function noteInFlight({ socket }: IncomingMessage, response: ServerResponse): void {
  const answers = connections.get(socket);
  if (!answers) return;
  answers.push(response);
  response.once("close", () => answers.splice(answers.indexOf(response), 1));
}

/** Whether a request that has arrived in full is still being worked on. */
export function isWorking(socket: Duplex): boolean {
  return connections.get(socket)?.some(({ req }) => req.complete) ?? false;
}

/**
 * Tells everybody who waits for an answer that it is the last one on its connection: who would send
 * another request on it would not know what became of that.
 */
export function endKeepAlive(): void {
  for (const answers of connections.values()) {
    const last = answers.at(-1);
    if (last) last.shouldKeepAlive = false;
  }
}
