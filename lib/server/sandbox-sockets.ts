import "server-only";
import type { IncomingMessage } from "node:http";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { clientAddress } from "@/lib/auth/client-address";
import { env } from "@/lib/env";
import { errorFields, log } from "@/lib/log";
import { SandboxError } from "@/lib/sandbox/error";
import { countSandboxRequest } from "@/lib/sandbox/limits";
import { MarketFeed, openMarketSession } from "@/lib/sandbox/stream/market-channel";
import type { Peer, StreamSession } from "@/lib/sandbox/stream/session";
import { openUserSession, UserFeed } from "@/lib/sandbox/stream/user-channel";
import { refuseUpgrade, type UpgradeHandler } from "@/lib/server/upgrade";

const PATH = /^\/(?:api\/)?sandbox\/(?:clob\/)?ws\/(market|user)\/?(?:\?|$)/;
const MAX_FRAME_BYTES = 64 * 1024;
const MAX_PER_ADDRESS = 50;
const MAX_PER_PROCESS = 500;
/** A client with more unread data than this is disconnected. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;
/** Frames that may wait for the previous one. */
const MAX_WAITING_FRAMES = 100;
const SWEEP_MS = 15_000;
/** A client that sends nothing, not even a pong, for this long is disconnected. */
const IDLE_MS = 60_000;
const CLOSE_TIMEOUT_MS = 1_000;
const STOPPING = new SandboxError(503, "the service is stopping");
const CODES = { goingAway: 1001, unwanted: 1008, failed: 1011 } as const;

export interface SandboxSockets {
  handle: UpgradeHandler;
  /** Closes every connection and waits for reads that are running for them. */
  close: () => Promise<void>;
}

interface Connection {
  socket: WebSocket;
  address: string;
  headers: Headers;
  lastSeenAt: number;
}

/** Serves the sandbox's market and user channels over WebSocket. */
export function makeSandboxSockets(): SandboxSockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES });
  const feeds = { market: new MarketFeed(), user: new UserFeed() };
  const connections = new Set<Connection>();
  const open = {
    market: (peer: Peer) => openMarketSession(peer, feeds.market),
    user: (peer: Peer) => openUserSession(peer, feeds.user),
  };
  const sweep = setInterval(() => terminateSilent(connections), SWEEP_MS);
  sweep.unref();
  let isClosing = false;

  const handle: UpgradeHandler = (request, socket, head) => {
    const channel = PATH.exec(request.url ?? "")?.[1];
    if ((channel !== "market" && channel !== "user") || !isWebSocketRequest(request)) return false;
    const headers = readAddressHeaders(request);
    const address = clientAddress(headers);
    const refusal = isClosing ? STOPPING : checkRequest(request, { connections, address });
    if (refusal) {
      refuseUpgrade(socket, refusal.status, refusal.message);
      return true;
    }
    server.handleUpgrade(request, socket, head, (accepted) => {
      const connection = { socket: accepted, address, headers, lastSeenAt: performance.now() };
      connections.add(connection);
      accepted.once("close", () => connections.delete(connection));
      attach(connection, open[channel]);
    });
    return true;
  };
  return {
    handle,
    close: async () => {
      isClosing = true;
      clearInterval(sweep);
      await Promise.all([...connections].map(({ socket }) => closeSocket(socket)));
      await Promise.all([feeds.market.waitUntilIdle(), feeds.user.waitUntilIdle()]);
    },
  };
}

function attach(connection: Connection, open: (peer: Peer) => StreamSession): void {
  const { socket } = connection;
  const session = open({
    send: (text) => {
      if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
      else socket.send(text);
    },
    close: () => socket.close(CODES.unwanted),
  });
  let waiting = 0;
  let running: Promise<void> = Promise.resolve();
  socket.on("message", (data, isBinary) => {
    connection.lastSeenAt = performance.now();
    if (isBinary || waiting >= MAX_WAITING_FRAMES) return socket.close(CODES.unwanted);
    waiting += 1;
    running = running
      .then(() => receive(connection, session, toText(data)))
      .finally(() => (waiting -= 1));
  });
  socket.on("pong", () => (connection.lastSeenAt = performance.now()));
  socket.on("error", () => socket.terminate());
  socket.once("close", () => session.close());
}

/** Handles one frame. A frame counts as a request in the rate limit. */
async function receive(
  { socket, headers }: Connection,
  session: StreamSession,
  text: string,
): Promise<void> {
  try {
    await countSandboxRequest(headers);
    await session.receive(text);
  } catch (error) {
    if (error instanceof SandboxError) return socket.close(CODES.unwanted);
    log.error("sandbox frame failed", errorFields(error));
    socket.close(CODES.failed);
  }
}

/** Returns why a connection is refused; null to accept it. */
function checkRequest(
  request: IncomingMessage,
  { connections, address }: { connections: ReadonlySet<Connection>; address: string },
): SandboxError | null {
  if (!env().VENUES.includes("paper")) return new SandboxError(404, "not found");
  if (!isOwnOrigin(request)) return new SandboxError(403, "origin not allowed");
  const ofAddress = [...connections].filter((connection) => connection.address === address);
  const isFull = connections.size >= MAX_PER_PROCESS || ofAddress.length >= MAX_PER_ADDRESS;
  return isFull ? new SandboxError(429, "Too Many Requests") : null;
}

/** Pages of other sites may not connect, like they may not read responses. Programs send no origin. */
function isOwnOrigin({ headers }: IncomingMessage): boolean {
  if (headers.origin === undefined) return true;
  if (!URL.canParse(headers.origin)) return false;
  const { host, origin } = new URL(headers.origin);
  return host === headers.host || origin === new URL(env().NEXTAUTH_URL).origin;
}

function isWebSocketRequest({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && headers.upgrade?.toLowerCase() === "websocket";
}

/** Returns the headers that the client's address is read from. The socket's peer comes last. */
function readAddressHeaders(request: IncomingMessage): Headers {
  const forwarded = request.headers["x-forwarded-for"] ?? [];
  const peer = request.socket.remoteAddress ?? "unknown";
  return new Headers({ "x-forwarded-for": [forwarded, peer].flat().join(", ") });
}

function terminateSilent(connections: ReadonlySet<Connection>): void {
  for (const { socket, lastSeenAt } of connections) {
    if (performance.now() - lastSeenAt >= IDLE_MS) socket.terminate();
    else socket.ping();
  }
}

function closeSocket(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS);
    socket.once("close", () => {
      clearTimeout(cutOff);
      resolve();
    });
    socket.close(CODES.goingAway);
  });
}

function toText(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString("utf8");
  return Buffer.from(data instanceof ArrayBuffer ? new Uint8Array(data) : data).toString("utf8");
}
