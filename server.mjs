// The production entry on Node. The bundle serves the API, Next serves pages. Next is loaded with the
// first page, so that a service without visitors needs less memory.
import "./lib/cli/environment.mjs";
import { Server } from "node:http";
import { serve } from "./dist/server.mjs";

let pages;

async function loadPages() {
  const { default: next } = await import("next");
  const hostname = process.env.HOST || "127.0.0.1";
  const port = Number(process.env.PORT || "3000");
  // Next fetches the target of an action's redirect from itself at this address.
  const address = { hostname, port };
  // A server that never listens. Without it, Next would handle every upgrade of our server.
  const httpServer = new Server();
  const app = next({ dev: false, dir: import.meta.dirname, httpServer, ...address });
  await app.prepare();
  return app.getRequestHandler();
}

try {
  await serve(async (request, response) => {
    // After a failure, the next visitor loads Next again.
    pages ??= loadPages().catch((error) => {
      pages = undefined;
      throw error;
    });
    const handle = await pages;
    await handle(request, response);
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
