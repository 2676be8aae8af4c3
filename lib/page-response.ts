import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";

// Next and the server entry are separate bundles of this module; only globalThis is shared.
const HOLDER = Symbol.for("ante.page-responses");
const holder = globalThis as typeof globalThis & { [HOLDER]?: AsyncLocalStorage<ServerResponse> };
const responses = (holder[HOLDER] ??= new AsyncLocalStorage<ServerResponse>());

/** Runs the work of a page, which can set the status of its document meanwhile. */
export const runWithResponse = <T>(response: ServerResponse, work: () => T): T =>
  responses.run(response, work);

/**
 * Gives the document of the running request the status 404. Returns false if its response is unknown,
 * because Ante's own server doesn't serve it, or if its head is already sent.
 */
export function markNotFound(): boolean {
  const response = responses.getStore();
  if (!response || response.headersSent) return false;
  response.statusCode = 404;
  return true;
}
