import "server-only";
import type { IncomingMessage } from "node:http";

export const FORWARDED_FOR = "x-forwarded-for";

/** Appends the peer address to `x-forwarded-for`. A client can forge every address except the last one. */
export function appendPeer({ headers, socket }: IncomingMessage): string {
  const received = headers[FORWARDED_FOR];
  const peer = socket.remoteAddress ?? "unknown";
  return received === undefined ? peer : `${String(received)}, ${peer}`;
}
