// An HTTP server that can apply any fault of a venue or a network to a request.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface VenueCall {
  method: string;
  /** The public path, such as /clob/order. */
  path: string;
  /** The query with its question mark; empty without one. */
  search: string;
  body: string;
  /** The owner of a signed call in lower case; empty for other calls. */
  owner: string;
}

/** Applies a fault to one request. `handle` runs the venue's handler. */
export type Fault = (
  handle: () => Promise<Response>,
  answer: { drop: () => void; send: (response: Response) => Promise<void> },
) => Promise<void>;

export interface FaultServer {
  url: string;
  /** Returns the fault of a request; null for none. */
  fault: (call: VenueCall) => Fault | null;
  /** Every request, in order. */
  calls: VenueCall[];
  close(): Promise<void>;
}

type Dispatch = (url: URL, call: VenueCall, headers: Headers) => Promise<Response>;

/** Starts a server that passes requests to `dispatch`, with faults. */
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
    search: url.search,
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
  // A fault that cannot be applied, for example to an empty response, drops the connection instead.
  if (fault) await fault(handle, answer).catch(answer.drop);
  else await answer.send(await handle());
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
