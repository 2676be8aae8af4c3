// The sandbox's own route files behind a plain HTTP server, with a switch for everything that a
// venue or a network can do to a request. What it handled is in the database, as the ground truth.
import { readdirSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Handler = (
  request: Request,
  context: { params: Promise<Record<string, string>> },
) => Promise<Response>;

interface VenueCall {
  method: string;
  /** Public, such as /clob/order. */
  path: string;
  body: string;
}

/** What goes wrong with one request. `handle` runs the venue's own handler. */
export type Fault = (
  handle: () => Promise<Response>,
  answer: { drop: () => void; send: (response: Response) => Promise<void> },
) => Promise<void>;

export interface SandboxServer {
  url: string;
  /** Asked for each request; null lets it through. */
  fault: (call: VenueCall) => Fault | null;
  /** Every request that came, in order. */
  calls: VenueCall[];
  close(): Promise<void>;
}

const ROOT = "app/api/sandbox";
const FILES = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|\/)route\.ts$/.test(file) && !file.includes("[..."))
  .toSorted();

const ROUTES = FILES.map((file) => {
  const folder = file.replace(/\/route\.ts$/, "");
  const names = [...folder.matchAll(/\[(\w+)\]/g)].map(([, name = ""]) => name);
  const pattern = new RegExp(`^/${folder.replace(/\[\w+\]/g, "([^/]+)")}$`);
  return { file, names, pattern };
}).toSorted((a, b) => a.names.length - b.names.length);

export async function startSandboxServer(): Promise<SandboxServer> {
  const sandbox: SandboxServer = {
    url: "",
    fault: () => null,
    calls: [],
    close: async () => {},
  };
  const server = createServer((incoming, outgoing) => void serve(sandbox, incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  sandbox.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sandbox`;
  sandbox.close = () => closeServer(server);
  return sandbox;
}

async function serve(
  sandbox: SandboxServer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString("utf8");
  const url = new URL(incoming.url ?? "/", "http://127.0.0.1");
  const method = incoming.method ?? "GET";
  const call = { method, path: url.pathname.replace(/^\/sandbox/, ""), body };
  sandbox.calls.push(call);
  const headers = new Headers(
    Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );
  const handle = () => dispatch(url, call, headers);
  const answer = {
    drop: () => void incoming.socket.destroy(),
    send: async (response: Response) => {
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(await response.text());
    },
  };
  const fault = sandbox.fault(call);
  if (fault) await fault(handle, answer);
  else await answer.send(await handle());
}

async function dispatch(url: URL, call: VenueCall, headers: Headers): Promise<Response> {
  for (const { file, names, pattern } of ROUTES) {
    const found = pattern.exec(call.path);
    if (!found) continue;
    const module = (await import(/* @vite-ignore */ `../../${ROOT}/${file}`)) as Record<
      string,
      Handler | undefined
    >;
    const handler = module[call.method];
    if (!handler) return Response.json({ error: "method not allowed" }, { status: 405 });
    const params = Object.fromEntries(names.map((name, at) => [name, found[at + 1] ?? ""]));
    const request = new Request(url, {
      method: call.method,
      headers,
      ...(call.body === "" ? {} : { body: call.body }),
    });
    return handler(request, { params: Promise.resolve(params) });
  }
  return Response.json({ error: "not found" }, { status: 404 });
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
