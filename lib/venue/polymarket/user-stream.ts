import "server-only";
import { WebSocket } from "ws";
import { env } from "@/lib/env";
import { parseJson } from "@/lib/venue/polymarket/http";
import type { StreamNews, Trader } from "@/lib/venue/trader";
import { z } from "zod";

const OFFICIAL_CLOB = "https://clob.polymarket.com";
const OFFICIAL_SOCKET = "wss://ws-subscriptions-clob.polymarket.com";
const PING_MS = 10_000;
/** A venue that does not even answer pings is gone, and bad credentials are met with silence. */
const DEAD_MS = 30_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
const MAX_FRAME_BYTES = 1024 * 1024;
/** Frames that change nothing for those who know of them already. */
const OrderEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("PLACEMENT"), id: z.string() }),
  z.object({ type: z.literal("CANCELLATION"), id: z.string() }),
]);

/**
 * Listens for changes of a trader's orders and trades, and reconnects when the line is lost. What it
 * hears is only a hint to look: frames may be missing or come twice (polymarket.md 8).
 *
 * @param onNews called for all that a frame tells of, and after every reconnection.
 * @returns a function that ends it.
 */
export function openUserStream(trader: Trader, onNews: (news: StreamNews) => void): () => void {
  let socket: WebSocket | null = null;
  let retryMs = FIRST_RETRY_MS;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;

  const connect = () => {
    socket = new WebSocket(userSocketUrl(), {
      maxPayload: MAX_FRAME_BYTES,
      followRedirects: false,
      handshakeTimeout: DEAD_MS,
    });
    const stopPings = keepAlive(socket);
    socket.on("open", () => {
      socket?.send(authFrame(trader));
      onNews("something");
    });
    socket.on("message", (data) => {
      retryMs = FIRST_RETRY_MS;
      newsIn(String(data)).forEach(onNews);
    });
    // What went wrong is told by the close that follows.
    socket.on("error", () => {});
    socket.on("close", () => {
      stopPings();
      if (isClosed) return;
      retry = setTimeout(connect, retryMs);
      retry.unref();
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
    });
  };

  connect();
  return () => {
    isClosed = true;
    clearTimeout(retry);
    socket?.terminate();
  };
}

/** Polymarket has a host of its own for sockets; anybody else speaks them where it speaks HTTP. */
function userSocketUrl(): string {
  const base = env().CLOB_API_URL.replace(/\/+$/, "");
  const origin = base === OFFICIAL_CLOB ? OFFICIAL_SOCKET : base.replace(/^http/, "ws");
  return `${origin}/ws/user`;
}

function authFrame({ credentials }: Trader): string {
  const { key, secret, passphrase } = credentials ?? { key: "", secret: "", passphrase: "" };
  return JSON.stringify({ type: "user", auth: { apiKey: key, secret, passphrase } });
}

function keepAlive(socket: WebSocket): () => void {
  let lastHeard = Date.now();
  socket.on("message", () => {
    lastHeard = Date.now();
  });
  const timer = setInterval(() => {
    if (Date.now() - lastHeard > DEAD_MS) return socket.terminate();
    if (socket.readyState === WebSocket.OPEN) socket.send("PING");
  }, PING_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Any JSON counts; the answer to a ping is none. That an order stands now is no news: whoever posts
 * one records the answer, and looks for it where none came.
 */
function newsIn(frame: string): StreamNews[] {
  if (!frame.startsWith("{") && !frame.startsWith("[")) return [];
  const told = parseJson(frame);
  const events: unknown[] = Array.isArray(told) ? told : [told];
  return events.flatMap(newsOf);
}

function newsOf(event: unknown): StreamNews[] {
  const order = OrderEvent.safeParse(event);
  if (!order.success) return ["something"];
  const { type, id } = order.data;
  return type === "PLACEMENT" ? [] : [{ canceled: id.toLowerCase() }];
}
