import "server-only";
import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** Takes over a connection, or returns false when the request is nothing to it. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/**
 * Lets `handle` take what asks to become another protocol. Everything else is answered as if it had
 * not asked: clients that speak HTTP/2 offer it with an ordinary request.
 */
export function onUpgrade(server: Server, handle: UpgradeHandler): void {
  // Node forgets headers beyond a count, and a request that is read again needs its length. Their
  // bytes are limited in any case.
  server.maxHeadersCount = 0;
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!handle(request, socket, head)) readAgain(server, { request, socket, head });
  });
}

/** Gives the connection back to the server, with the request in front that Node took off it. */
function readAgain(
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
  const kept = connection.split(",").filter((part) => part.trim().toLowerCase() !== "upgrade");
  return kept.join(",") || "keep-alive";
}

/** Refuses to upgrade, in the manner of the venue's other refusals. */
export function refuseUpgrade(socket: Duplex, status: number, message: string): void {
  const body = JSON.stringify({ error: message });
  socket.once("error", () => socket.destroy());
  // Nobody reads what comes after.
  socket.once("finish", () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
