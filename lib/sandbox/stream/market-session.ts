import "server-only";
import { z } from "zod";
import type { MarketFeed, MarketListener } from "@/lib/sandbox/stream/market-feed";
import { parseFrame, type Peer, sendMessages, type StreamSession } from "@/lib/sandbox/stream/peer";

const MAX_TOKENS = 500;

const Frame = z.object({
  operation: z.enum(["subscribe", "unsubscribe"]).optional(),
  assets_ids: z.array(z.string().max(78)).max(MAX_TOKENS).default([]),
  initial_dump: z.boolean().default(true),
  custom_feature_enabled: z.boolean().optional(),
});

/** One connection to the market channel (polymarket.md 8.1). */
export function openMarketSession(peer: Peer, feed: MarketFeed): StreamSession {
  const tokens = new Set<string>();
  let wantsMore = false;
  const listener: MarketListener = {
    send: (messages) => sendMessages(peer, messages),
    listensTo: (tokenId) => tokens.has(tokenId),
    wantsMore: () => wantsMore,
  };
  const drop = (tokenId: string) => {
    tokens.delete(tokenId);
    feed.unsubscribe(listener, tokenId);
  };
  return {
    receive: async (text) => {
      if (text === "PING") return peer.send("PONG");
      const frame = Frame.safeParse(parseFrame(text));
      if (!frame.success) return;
      const { operation, assets_ids: ids, custom_feature_enabled: more } = frame.data;
      if (more !== undefined) wantsMore = more;
      if (operation === "unsubscribe") return ids.forEach(drop);
      const fresh = [...new Set(ids)].filter((id) => !tokens.has(id));
      if (tokens.size + fresh.length > MAX_TOKENS) return peer.close();
      for (const id of fresh) tokens.add(id);
      await feed.subscribe(listener, fresh, frame.data.initial_dump);
    },
    close: () => {
      for (const tokenId of tokens) drop(tokenId);
    },
  };
}
