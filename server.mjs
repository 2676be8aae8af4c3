// The production entry on Node: the interface is served by the bundle in front of Next, pages by
// Next, which is loaded with the first page so that a service without visitors stays small.
import { Server } from "node:http";
import { serve } from "./dist/server.mjs";

let pages;

async function loadPages() {
  const { default: next } = await import("next");
  const { HOST: hostname = "127.0.0.1", PORT = "3000" } = process.env;
  // Next fetches the page behind an action's redirect from itself, by this address.
  const address = { hostname, port: Number(PORT) };
  // Next would take every upgrade of the server it finds itself behind; ours are not its business.
  const httpServer = new Server();
  const app = next({ dev: false, dir: import.meta.dirname, httpServer, ...address });
  await app.prepare();
  return app.getRequestHandler();
}

try {
  await serve(async (request, response) => {
    // What failed to load is loaded again by the next visitor.
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
