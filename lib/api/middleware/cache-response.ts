import "server-only";
import { LRUCache } from "lru-cache";
import { type ApiRequest, publicPath } from "@/lib/api/http/request";
import type { CachePolicy, Middleware } from "@/lib/api/middleware/middleware";
import { Reply } from "@/lib/api/http/respond";
import { now } from "@/lib/clock";
import { countCommits } from "@/lib/db/client";
import type { CallerRow } from "@/lib/db/queries/callers";
import type { AccountRef } from "@/lib/db/queries/mode";

/** Size of the cache in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;
/** A larger response would evict too many others. */
const MAX_ENTRY_BYTES = MAX_BYTES / 32;
/** Approximate memory of an entry besides its texts. */
const ENTRY_OVERHEAD = 512;
/** From this length, bytes are faster to send. A shorter text goes out in one write with the headers. */
const ENCODED_FROM = 4_096;
/** xmin wraps around after 2^32 transactions; cache entries expire long before. */
const MAX_AGE_MS = 60_000;
/** Prices also change without a commit of this process. */
const PRICES_MAX_AGE_MS = 1_000;
const ORDER_PATH = /\/(ord_[0-9A-HJKMNP-TV-Z]{26})$/;

interface CacheEntry {
  reply: Reply;
  version: string;
  cachedAt: number;
}

const replies = new LRUCache<string, CacheEntry>({
  maxSize: MAX_BYTES,
  maxEntrySize: MAX_ENTRY_BYTES,
  // A text with a character beyond Latin-1 takes two bytes per character, and so do its bytes.
  sizeCalculation: ({ reply }, key) =>
    2 * (key.length + 2 * reply.answer.body.length) + ENTRY_OVERHEAD,
});

/**
 * Returns a read's former response while its data is unchanged. The version of the data was read with
 * the caller's key, so no response is older than its request.
 */
export const cacheResponse: Middleware = async (context, next) => {
  const { cachePolicy, principal, request, dataVersion: version } = context;
  if (!cachePolicy || !principal) return next();
  const cached = findCachedReply(cachePolicy, principal, { request, version });
  if (cached) return cached;
  const reply = await next();
  cacheReply(principal, { request, version }, reply);
  return reply;
};

/** Returns the order id at the end of a path, or null. */
export function parseOrderId({ pathname }: ApiRequest): string | null {
  return ORDER_PATH.exec(pathname)?.[1] ?? null;
}

/** Returns the version of the data behind a response; null for a response that is not cached. */
export function computeVersion(policy: CachePolicy, caller: CallerRow): string | null {
  const { accountVersion, openOrdersVersion, orderVersion } = caller;
  if (policy === "order") return orderVersion;
  if (policy === "open orders") return accountVersion ?? openOrdersVersion;
  if (policy === "account" || accountVersion === null) return accountVersion;
  // Every commit of this process may change a price.
  return `${accountVersion}/${countCommits()}`;
}

/** Returns the cached reply of this account and request if its version is current. */
export function findCachedReply(
  policy: CachePolicy,
  account: AccountRef,
  { request, version }: { request: ApiRequest; version: string | null },
): Reply | null {
  if (version === null) return null;
  const maxAge = policy === "account and prices" ? PRICES_MAX_AGE_MS : MAX_AGE_MS;
  const entry = replies.get(createKey(account, request));
  return entry?.version === version && now() - entry.cachedAt < maxAge ? entry.reply : null;
}

/** @param version read before the reply was built. A reply that is newer than its version is safe. */
export function cacheReply(
  account: AccountRef,
  { request, version }: { request: ApiRequest; version: string | null },
  reply: Reply,
): void {
  if (version === null) return;
  const entry = { reply: encodeLarge(reply), version, cachedAt: now() };
  replies.set(createKey(account, request), entry);
}

function encodeLarge(reply: Reply): Reply {
  const { answer, headers } = reply;
  if (answer.body.length < ENCODED_FROM) return reply;
  return new Reply(answer, headers, new TextEncoder().encode(answer.body));
}

/** The cache key has no API key: all keys of an account read the same data. */
function createKey({ userId, mode }: AccountRef, { pathname, searchParams }: ApiRequest): string {
  return `${userId} ${mode} ${publicPath(pathname)}?${searchParams}`;
}
