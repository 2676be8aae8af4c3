// The production entry on Node: the interface is served by the bundle in front of Next, pages by
// Next, which is loaded with the first page so that a service without visitors stays small.
import { serve } from "./dist/server.mjs";

let pages;

async function loadPages() {
  const { default: next } = await import("next");
  const app = next({ dev: false, dir: import.meta.dirname });
  await app.prepare();
  return app.getRequestHandler();
}

try {
  await serve(async (request, response) => {
    pages ??= loadPages();
    const handle = await pages;
    await handle(request, response);
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
