// For Node only: the tools on standard input and output.
import { finished } from "node:stream/promises";
import type { Ante } from "@ante/client";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { withoutSecrets } from "./secrets.ts";
import { createServer } from "./server.ts";

/**
 * Serves the tools on standard input and output until the agent closes the input. An order that is on its
 * way then is in the journal of `ante`.
 */
export async function serveTools(ante: Ante): Promise<void> {
  // Standard output belongs to the protocol.
  const report = (error: unknown) =>
    void process.stderr.write(`${withoutSecrets(String(error))}\n`);
  serveStdio(() => createServer({ ante, report }));
  await finished(process.stdin, { writable: false }).catch(report);
}
