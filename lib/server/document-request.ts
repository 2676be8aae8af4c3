import "server-only";
import type { IncomingMessage } from "node:http";

/** Returns whether the browser shows the response itself. Scripts of the shown page fetch the others. */
export function isDocumentRequest({ headers }: IncomingMessage): boolean {
  return headers["rsc"] === undefined && !("next-action" in headers);
}
