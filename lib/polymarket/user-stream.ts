import "server-only";
import { WebSocket } from "ws";
import { env } from "@/lib/env";
import { parseJson } from "@/lib/polymarket/http";
import type { UserStreamEvent, Trader, UserStream } from "@/lib/venue/trader";
import { z } from "zod";

const OFFICIAL_CLOB = "https://clob.polymarket.com";
const OFFICIAL_SOCKET = "wss://ws-subscriptions-clob.polymarket.com";
const PING_MS = 10_000;
/** A venue that ignores pings is gone. It also sends nothing after bad credentials. */
const DEAD_MS = 30_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
const MAX_FRAME_BYTES = 1024 * 1024;
/** Events that need no reconciliation when the database already reflects them. */
const OrderEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("PLACEMENT"), id: z.string() }),
  z.object({ type: z.literal("CANCELLATION"), id: z.string() }),
]);

/**
 * Opens the stream of a trader's orders and trades, and reconnects when the connection is lost. An
 * event only triggers a query: frames may be missing or come twice (polymarket.md 8).
 *
 * @param onEvent called for each event of a frame, and after each connection.
 */
export function openUserStream(
  trader: Trader,
  onEvent: (event: UserStreamEvent) => void,
): UserStream {
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
      onEvent("other");
    });
    socket.on("message", (data) => {
      retryMs = FIRST_RETRY_MS;
      parseEvents(String(data)).forEach(onEvent);
    });
    // The close event follows every error and handles it.
    socket.on("error", () => {});
    socket.on("close", () => {
      stopPings();
      if (isClosed) return;
      retry = setTimeout(() => {
        retry = undefined;
        connect();
      }, retryMs);
      retry.unref();
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
    });
  };

  connect();
  return {
    retryNow: () => {
      retryMs = FIRST_RETRY_MS;
      // A connection from before the outage may be dead without notice. Closing it reconnects.
      if (retry === undefined) return socket?.terminate();
      clearTimeout(retry);
      retry = undefined;
      connect();
    },
    close: () => {
      isClosed = true;
      clearTimeout(retry);
      socket?.terminate();
    },
  };
}

/** Polymarket has a separate host for sockets. Other venues serve them on their HTTP host. */
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

/** Returns the events of a frame. The reply to a ping is no JSON and has none. */
function parseEvents(frame: string): UserStreamEvent[] {
  if (!frame.startsWith("{") && !frame.startsWith("[")) return [];
  const parsed = parseJson(frame);
  const events: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  return events.flatMap(parseEvent);
}

function parseEvent(event: unknown): UserStreamEvent[] {
  const order = OrderEvent.safeParse(event);
  if (!order.success) return ["other"];
  const { type, id } = order.data;
  return type === "PLACEMENT" ? [{ placed: id.toLowerCase() }] : [{ canceled: id.toLowerCase() }];
}
