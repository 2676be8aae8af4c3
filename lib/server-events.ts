import "server-only";

/** A server-sent event, or a comment that only keeps the connection open. */
export type ServerEvent =
  | { event: string; data: unknown; id?: number }
  | { comment: string }
  /** Events that are written already. */
  | { lines: string };

/** Makes a browser connect again one second after a stream has broken. Its own pause is longer. */
export const RECONNECT: ServerEvent = { lines: "retry: 1000\n\n" };

/** Writes an event in the format of `text/event-stream`. */
export function writeServerEvent(event: ServerEvent): string {
  if ("lines" in event) return event.lines;
  if ("comment" in event) return `: ${event.comment}\n\n`;
  const id = event.id === undefined ? "" : `id: ${event.id}\n`;
  return `${id}event: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`;
}
