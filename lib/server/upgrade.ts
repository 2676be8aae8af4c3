import "server-only";
import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { untrack, waitForResponses } from "@/lib/server/in-flight";

/** Takes over a connection, or returns false if the request is not for it. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/** How long a refused client may keep sending before its connection is closed. */
const LINGER_MS = 1_000;

/**
 * Offers requests with an `upgrade` header to `handle`. If it declines, the request is answered as
 * if it had no such header: HTTP/2 clients offer an upgrade with ordinary requests. Waits for the
 * earlier requests on the connection first, because Node has released the connection and no longer
 * keeps their order. Later bytes stay unread meanwhile.
 */
export function onUpgrade(server: Server, handle: UpgradeHandler): void {
  // Node drops headers beyond this count, but a request that is parsed again needs its length.
  // The size of all headers is limited anyway.
  server.maxHeadersCount = 0;
  server.on("upgrade", async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const destroy = () => socket.destroy();
    socket.on("error", destroy);
    await waitForResponses(socket);
    socket.off("error", destroy);
    // An earlier request closed the connection.
    if (!socket.writable) destroy();
    else if (handle(request, socket, head)) untrack(socket);
    else parseAgain(server, { request, socket, head });
  });
}

/** Returns the connection to the server, with the request's head, which Node consumed, in front. */
function parseAgain(
  server: Server,
  { request, socket, head }: { request: IncomingMessage; socket: Duplex; head: Buffer },
): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name = "", value = ""] = request.rawHeaders.slice(index, index + 2);
    if (name.toLowerCase() === "upgrade") continue;
    lines.push(`${name}: ${name.toLowerCase() === "connection" ? withoutUpgrade(value) : value}`);
  }
  const text = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  socket.unshift(Buffer.concat([text, head]));
  server.emit("connection", socket);
}

function withoutUpgrade(connection: string): string {
  const others = connection.split(",").filter((part) => part.trim().toLowerCase() !== "upgrade");
  return others.join(",") || "keep-alive";
}

/** Refuses an upgrade with the venue's error body. */
export function refuseUpgrade(socket: Duplex, status: number, message: string): void {
  const body = JSON.stringify({ error: message });
  const destroy = () => socket.destroy();
  socket.once("error", destroy);
  // Unread bytes would reset the connection before the response arrives.
  socket.resume();
  socket.once("end", destroy);
  setTimeout(destroy, LINGER_MS).unref();
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
