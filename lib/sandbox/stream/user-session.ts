import "server-only";
import { z } from "zod";
import { authenticateSecret } from "@/lib/sandbox/authenticate";
import { accountsOf } from "@/lib/sandbox/orders";
import { parseFrame, type Peer, sendMessages, type StreamSession } from "@/lib/sandbox/stream/peer";
import type { UserFeed, UserListener } from "@/lib/sandbox/stream/user-feed";

/** Bad credentials are not reported: the connection stays silent this long, and ends. */
const SILENCE_MS = 5_000;
/** A key that was deleted hears nothing any more after this long. */
const KEY_CHECK_MS = 30_000;
const MAX_MARKETS = 500;

const Markets = z.array(z.string().max(66)).max(MAX_MARKETS);
const Credentials = z.object({ apiKey: z.string(), secret: z.string(), passphrase: z.string() });
const Frame = z.object({
  auth: Credentials.optional(),
  operation: z.enum(["subscribe", "unsubscribe"]).optional(),
  markets: Markets.optional(),
});
type Frame = z.output<typeof Frame>;

/** One connection to the user channel (polymarket.md 8.2). */
export function openUserSession(peer: Peer, feed: UserFeed): StreamSession {
  let listener: UserListener | null = null;
  let isRefused = false;
  let isClosed = false;
  const timers: NodeJS.Timeout[] = [];
  /** Null means every market. */
  let markets: Set<string> | null = null;

  const begin = async ({ auth, markets: named = [] }: Frame) => {
    const caller = auth && (await authenticateSecret(auth));
    if (isClosed) return;
    if (!caller) {
      isRefused = true;
      timers.push(setTimeout(peer.close, SILENCE_MS).unref());
      return;
    }
    if (named.length > 0) markets = new Set(named);
    listener = {
      userIds: new Set(accountsOf(caller)),
      wantsMarket: (id) => markets === null || markets.has(id),
      send: (messages) => sendMessages(peer, messages),
    };
    const check = async () => {
      if (!(await authenticateSecret(auth))) peer.close();
    };
    // A check that fails for want of a database is made again.
    timers.push(setInterval(() => void check().catch(() => undefined), KEY_CHECK_MS).unref());
    await feed.subscribe(listener);
    // It may have gone while that was read.
    if (isClosed) feed.unsubscribe(listener);
  };
  const change = ({ operation, markets: named = [] }: Frame) => {
    for (const id of named) {
      if (operation === "unsubscribe") markets?.delete(id);
      else if (operation === "subscribe" && (markets?.size ?? 0) < MAX_MARKETS) markets?.add(id);
    }
  };
  return {
    receive: async (text) => {
      if (isRefused) return;
      if (text === "PING") return peer.send("PONG");
      const frame = Frame.safeParse(parseFrame(text));
      if (listener) return frame.success ? change(frame.data) : undefined;
      await begin(frame.success ? frame.data : {});
    },
    close: () => {
      isClosed = true;
      for (const timer of timers) clearInterval(timer);
      if (listener) feed.unsubscribe(listener);
    },
  };
}
