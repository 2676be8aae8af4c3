// A keep-alive connection of the load generator: one request at a time, parsed as little as needed.
import { connect, type Socket } from "node:net";

export interface Answer {
  status: number;
  /** Empty unless requested, because decoding takes CPU time from the server. */
  body: string;
}

type Done = (answer: Answer) => void;

const HEAD_END = Buffer.from("\r\n\r\n");
const CRLF = Buffer.from("\r\n");

/** The status of a request whose connection broke. */
export const BROKEN = 0;

export class Connection {
  #socket: Socket | null = null;
  #received: Buffer | null = null;
  #done: Done | null = null;

  constructor(
    readonly port: number,
    readonly keepsBodies: boolean,
  ) {}

  send(request: string, done: Done): void {
    this.#done = done;
    this.#socket ??= this.#open();
    this.#socket.write(request, "utf8");
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  #open(): Socket {
    const socket = connect({ port: this.port, host: "127.0.0.1", noDelay: true });
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.on("error", () => {});
    socket.on("close", () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.#answer({ status: BROKEN, body: "the connection broke" });
    });
    return socket;
  }

  #receive(chunk: Buffer): void {
    const received = this.#received ? Buffer.concat([this.#received, chunk]) : chunk;
    this.#received = received;
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = received.toString("latin1", 0, headEnd);
    const start = headEnd + HEAD_END.length;
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    const body =
      length === undefined
        ? readChunked(received, start)
        : readWithLength(received, start, Number(length));
    if (!body) return;
    const status = Number(head.slice(9, 12));
    const isWanted = this.keepsBodies || status !== 200;
    if (/\r\nconnection: *close/i.test(head)) this.close();
    this.#answer({ status, body: isWanted ? Buffer.concat(body).toString() : "" });
  }

  #answer(answer: Answer): void {
    const done = this.#done;
    this.#received = null;
    this.#done = null;
    done?.(answer);
  }
}

/** Returns the pieces of a body with a length; null while it is incomplete. */
function readWithLength(received: Buffer, start: number, length: number): Buffer[] | null {
  const end = start + length;
  return received.length < end ? null : [received.subarray(start, end)];
}

/** Returns the pieces of a chunked body; null while it is incomplete. */
function readChunked(received: Buffer, start: number): Buffer[] | null {
  const pieces: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = received.indexOf(CRLF, at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(received.toString("latin1", at, lineEnd), 16);
    const from = lineEnd + CRLF.length;
    at = from + size + CRLF.length;
    if (at > received.length) return null;
    if (size === 0) return pieces;
    pieces.push(received.subarray(from, from + size));
  }
}
