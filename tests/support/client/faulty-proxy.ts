// A proxy in front of the service that fails in a chosen manner at a chosen step.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Where an attempt fails: before the service gets it, or after the service has executed it. */
type Step = "before" | "after";

/** How an attempt fails. Each is something that a network or a proxy does. */
export const MANNERS = [
  "reset",
  "close",
  "hang",
  "cut headers",
  "cut body",
  "empty body",
  "garbled body",
  "other JSON",
  "an array",
  "200 with a page",
  "204",
  "redirect",
  "404 page",
  "409",
  "425",
  "429",
  "500",
  "502",
  "503",
  "504",
] as const;
type Manner = (typeof MANNERS)[number];

export interface Fault {
  step: Step;
  manner: Manner;
  /** How many attempts fail before one passes. */
  times: number;
}

export interface FaultyProxy {
  url: string;
  port: number;
  /** Fails the next attempts. The following ones pass. */
  fail(fault: Fault): void;
  /** Resolves when an attempt fails, after the service has executed it if the step is "after". */
  waitForFailure(): Promise<void>;
  /** How many attempts failed since the last call of `fail`. */
  countFailed(): number;
  close(): Promise<void>;
}

/** Starts a proxy in front of a port of this machine. */
export async function startFaultyProxy(port: number): Promise<FaultyProxy> {
  const agent = new Agent({ keepAlive: true });
  let fault: Fault | null = null;
  let failed = 0;
  let onFailure = () => {};
  const server = createServer(async (incoming, response) => {
    const body = await readBody(incoming);
    const current = fault && failed < fault.times ? fault : null;
    if (current) failed += 1;
    const reply = current?.step === "before" ? null : await forward(agent, port, incoming, body);
    if (current) onFailure();
    if (current || !reply) return misbehave(response, current?.manner ?? "close", reply);
    response.writeHead(reply.status, reply.headers).end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${own}`,
    port: own,
    waitForFailure: () => new Promise((resolve) => (onFailure = resolve)),
    fail: (next) => {
      fault = next;
      failed = 0;
    },
    countFailed: () => failed,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

function misbehave(response: ServerResponse, manner: Manner, reply: Reply | null): void {
  const socket = response.socket;
  const text = reply?.body ?? Buffer.from('{"ok":true,"data":{"status":"filled"}}');
  const half = text.subarray(0, Math.ceil(text.length / 2));
  const page = (status: number, headers: Record<string, string> = {}) =>
    void response
      .writeHead(status, { "content-type": "text/html", ...headers })
      .end("<html></html>");
  const json = (body: string | Buffer) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(body);
  switch (manner) {
    case "reset":
      return void socket?.resetAndDestroy();
    case "close":
      return void socket?.destroy();
    case "hang":
      return;
    case "cut headers":
      return void socket?.end("HTTP/1.1 200 OK\r\ncontent-ty");
    case "cut body":
      socket?.end(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${half.toString()}`);
      return;
    case "empty body":
      return json("");
    case "garbled body":
      return json(half);
    case "other JSON":
      return json('{"status":"ok"}');
    case "an array":
      return json("[]");
    case "200 with a page":
      return page(200);
    case "204":
      return void response.writeHead(204).end();
    case "redirect":
      return page(307, { location: "http://127.0.0.1:9/" });
    case "404 page":
      return page(404);
    case "429":
      return page(429, { "retry-after": "0" });
    default:
      return page(Number(manner));
  }
}

function forward(
  agent: Agent,
  port: number,
  { method, url, headers: { "accept-encoding": _encoding, ...headers } }: IncomingMessage,
  body: Buffer,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = { agent, host: "127.0.0.1", port, path: url, method, headers };
    const sent = request(options, async (response) => {
      const answer = await readBody(response);
      const type = response.headers["content-type"] ?? "";
      resolve({
        status: response.statusCode ?? 0,
        headers: { "content-type": type, "content-length": String(answer.length) },
        body: answer,
      });
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
