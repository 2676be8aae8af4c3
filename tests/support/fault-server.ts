// A plain HTTP server with a switch for everything that a venue or a network can do to a request.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface VenueCall {
  method: string;
  /** Public, such as /clob/order. */
  path: string;
  body: string;
  /** The owner whom a signed call names, in lower case; empty for the others. */
  owner: string;
}

/** What goes wrong with one request. `handle` runs the venue's own handler. */
export type Fault = (
  handle: () => Promise<Response>,
  answer: { drop: () => void; send: (response: Response) => Promise<void> },
) => Promise<void>;

export interface FaultServer {
  url: string;
  /** Asked for each request; null lets it through. */
  fault: (call: VenueCall) => Fault | null;
  /** Every request that came, in order. */
  calls: VenueCall[];
  close(): Promise<void>;
}

type Dispatch = (url: URL, call: VenueCall, headers: Headers) => Promise<Response>;

/** Starts a server whose requests `dispatch` handles, unless something happens to them. */
export async function startFaultServer(dispatch: Dispatch): Promise<FaultServer> {
  const faulty: FaultServer = { url: "", fault: () => null, calls: [], close: async () => {} };
  const server = createServer((incoming, outgoing) => {
    void serve(faulty, dispatch, { incoming, outgoing });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  faulty.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sandbox`;
  faulty.close = () => closeServer(server);
  return faulty;
}

async function serve(
  faulty: FaultServer,
  dispatch: Dispatch,
  { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse },
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString("utf8");
  const url = new URL(incoming.url ?? "/", "http://127.0.0.1");
  const headers = new Headers(
    Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );
  const call = {
    method: incoming.method ?? "GET",
    path: url.pathname.replace(/^\/sandbox/, ""),
    body,
    owner: headers.get("poly_address")?.toLowerCase() ?? "",
  };
  faulty.calls.push(call);
  const handle = () => dispatch(url, call, headers);
  const answer = {
    drop: () => void incoming.socket.destroy(),
    send: async (response: Response) => {
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(await response.text());
    },
  };
  const fault = faulty.fault(call);
  // A fault that finds nothing to work on, such as an empty answer, loses the connection instead.
  if (fault) await fault(handle, answer).catch(answer.drop);
  else await answer.send(await handle());
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
