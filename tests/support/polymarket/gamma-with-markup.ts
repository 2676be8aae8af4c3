// A proxy for Gamma that adds markup to the texts of markets.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Fields with texts that people wrote. */
const WRITTEN = new Set([
  "question",
  "title",
  "description",
  "groupItemTitle",
  "label",
  "outcomes",
]);

export interface MarkupGamma {
  url: string;
  close: () => Promise<void>;
}

/** Starts a proxy for `origin` that appends `markup` to every text that people wrote. */
export async function startMarkupGamma(origin: string, markup: string): Promise<MarkupGamma> {
  const server = createServer((request, response) => {
    void respond(origin + (request.url ?? "/"), { request, response, markup });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}

async function respond(
  url: string,
  { response, markup }: { request: IncomingMessage; response: ServerResponse; markup: string },
): Promise<void> {
  const real = await fetch(url);
  const text = await real.text();
  response.writeHead(real.status, { "content-type": "application/json" });
  response.end(real.ok ? JSON.stringify(withMarkup(JSON.parse(text), markup)) : text);
}

function withMarkup(value: unknown, markup: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withMarkup(one, markup));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, addMarkupTo(name, inner, markup)]),
  );
}

function addMarkupTo(name: string, inner: unknown, markup: string): unknown {
  if (!WRITTEN.has(name) || typeof inner !== "string") return withMarkup(inner, markup);
  if (name !== "outcomes") return `${inner} ${markup}`;
  // A list of names as JSON text.
  const names = JSON.parse(inner) as string[];
  return JSON.stringify(names.map((one) => `${one} ${markup}`));
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
