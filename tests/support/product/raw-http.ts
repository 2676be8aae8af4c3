// Requests as bytes, for those that no client library would send.
import { connect } from "node:net";

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

export interface Exchange {
  answers: RawAnswer[];
  /** Statuses of 1xx responses, which precede the final ones. */
  interim: number[];
  /** Bytes after the last complete response. */
  rest: string;
  isClosed: boolean;
}

export interface ExchangeOptions {
  /** The number of responses to wait for. An exchange also ends when the server closes. */
  expected?: number;
  /** Responses to HEAD have no body, regardless of their headers. */
  isHead?: boolean;
  /** Sends FIN after the bytes. */
  halfClose?: boolean;
  /** Waits until the server closes, even after the expected responses. */
  untilClosed?: boolean;
}

/** Longer than any response may take. */
const HANG_MS = 5_000;

/** Sends bytes on a new connection. Throws if the server does not respond in time. */
export function exchange(
  port: number,
  bytes: string | Buffer,
  options: ExchangeOptions = {},
): Promise<Exchange> {
  const { expected = 1, isHead = false, halfClose = false, untilClosed = false } = options;
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    let received = Buffer.alloc(0);
    const hang = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(`no answer within ${HANG_MS} ms, only ${JSON.stringify(received.toString())}`),
      );
    }, HANG_MS);
    const finish = (isClosed: boolean) => {
      clearTimeout(hang);
      socket.destroy();
      resolve({ ...parse(received, isHead, isClosed), isClosed });
    };
    socket.on("connect", () => (halfClose ? socket.end(bytes) : socket.write(bytes)));
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (!untilClosed && parse(received, isHead, false).answers.length >= expected) finish(false);
    });
    socket.on("end", () => finish(true));
    // A reset can follow a complete response.
    socket.on("error", () => finish(true));
  });
}

/** Connections with incomplete requests. */
interface Slow {
  /** Counts the connections that the server has not closed. */
  open: () => number;
  /** Lists the statuses of connections with a response. */
  statuses: () => number[];
  end: () => void;
}

/** Opens a connection for each incomplete request and sends it. */
export async function openSlow(port: number, beginnings: readonly string[]): Promise<Slow> {
  const connections = await Promise.all(
    beginnings.map(async (bytes) => {
      const socket = connect({ port, host: "127.0.0.1" });
      const connection = { socket, received: "", isClosed: false };
      socket.on("data", (chunk) => (connection.received += chunk.toString("latin1")));
      socket.on("error", () => undefined);
      socket.on("close", () => (connection.isClosed = true));
      await new Promise((resolve) => socket.once("connect", resolve));
      socket.write(bytes);
      return connection;
    }),
  );
  return {
    open: () => connections.filter(({ isClosed }) => !isClosed).length,
    statuses: () =>
      connections.flatMap(({ received }) =>
        received === "" ? [] : [Number(received.split(" ")[1])],
      ),
    end: () => connections.forEach(({ socket }) => socket.destroy()),
  };
}

function parse(received: Buffer, isHead: boolean, isClosed: boolean): Omit<Exchange, "isClosed"> {
  const answers: RawAnswer[] = [];
  const interim: number[] = [];
  let rest = received.toString("latin1");
  for (;;) {
    const head = /^HTTP\/1\.[01] (\d{3})[^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/.exec(rest);
    if (!head) break;
    const status = Number(head[1]);
    const headers = readHeaders(head[2] ?? "");
    const tail = rest.slice(head[0].length);
    if (status < 200) {
      interim.push(status);
      rest = tail;
      continue;
    }
    const body =
      isHead || status === 204 || status === 304
        ? { text: "", rest: tail }
        : readBody(headers, tail, isClosed);
    if (!body) break;
    answers.push({ status, headers, text: Buffer.from(body.text, "latin1").toString() });
    rest = body.rest;
  }
  return { answers, interim, rest };
}

function readHeaders(block: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of block.split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return headers;
}

/** Returns null while the body is incomplete. */
function readBody(
  headers: Record<string, string>,
  tail: string,
  isClosed: boolean,
): { text: string; rest: string } | null {
  if (headers["transfer-encoding"] === "chunked") return readChunks(tail);
  if (headers["content-length"] === undefined) return isClosed ? { text: tail, rest: "" } : null;
  const length = Number(headers["content-length"]);
  return tail.length < length ? null : { text: tail.slice(0, length), rest: tail.slice(length) };
}

function readChunks(tail: string): { text: string; rest: string } | null {
  let text = "";
  let rest = tail;
  for (;;) {
    const size = /^([0-9a-f]+)\r\n/i.exec(rest);
    if (!size) return null;
    const length = Number.parseInt(size[1] ?? "0", 16);
    const from = size[0].length;
    if (rest.length < from + length + 2) return null;
    text += rest.slice(from, from + length);
    rest = rest.slice(from + length + 2);
    if (length === 0) return { text, rest };
  }
}
