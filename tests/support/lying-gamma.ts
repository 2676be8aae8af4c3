// A catalogue that says what a test puts into its texts, in front of a real one.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Texts that people wrote, at the venue. */
const WRITTEN = new Set([
  "question",
  "title",
  "description",
  "groupItemTitle",
  "label",
  "outcomes",
]);

export interface LyingGamma {
  url: string;
  close: () => Promise<void>;
}

/** Answers what `origin` answers, with `markup` behind every text that people wrote there. */
export async function startLyingGamma(origin: string, markup: string): Promise<LyingGamma> {
  const server = createServer((request, response) => {
    void answer(origin + (request.url ?? "/"), { request, response, markup });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}

async function answer(
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
    Object.entries(value).map(([name, inner]) => [name, rewritten(name, inner, markup)]),
  );
}

function rewritten(name: string, inner: unknown, markup: string): unknown {
  if (!WRITTEN.has(name) || typeof inner !== "string") return withMarkup(inner, markup);
  if (name !== "outcomes") return `${inner} ${markup}`;
  // A list of names, written down as JSON.
  const names = JSON.parse(inner) as string[];
  return JSON.stringify(names.map((one) => `${one} ${markup}`));
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
