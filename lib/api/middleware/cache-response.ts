import "server-only";
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type ApiRequest, publicPath } from "@/lib/api/http/request";
import type { ApiContext, CachePolicy, Middleware } from "@/lib/api/middleware/middleware";
import { NOT_MODIFIED, Reply } from "@/lib/api/http/respond";
import { now } from "@/lib/clock";
import { countCommits } from "@/lib/db/client";
import type { AccountRef } from "@/lib/db/queries/mode";

/** Size of the cache in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;
/** A larger response would evict too many others. */
const MAX_ENTRY_BYTES = MAX_BYTES / 32;
/** Approximate memory of an entry besides its texts. */
const ENTRY_OVERHEAD = 512;
/**
 * From this length, a text is encoded once, because the hash, the cache and the socket all need its bytes. A
 * shorter text goes out in one write with the headers.
 */
const ENCODED_FROM = 4_096;
/** An entry that nobody asks for goes after this time. */
const MAX_AGE_MS = 60_000;
/** Prices also change without a commit of this process. */
const PRICES_MAX_AGE_MS = 1_000;

interface CacheEntry {
  reply: Reply;
  version: string;
  cachedAt: number;
}

const replies = new LRUCache<string, CacheEntry>({
  maxSize: MAX_BYTES,
  maxEntrySize: MAX_ENTRY_BYTES,
  // A text with a character beyond Latin-1 takes two bytes per character.
  sizeCalculation: ({ reply }, key) =>
    2 * (key.length + reply.answer.body.length) + countBytes(reply) + ENTRY_OVERHEAD,
});

/**
 * Returns a read's former response while the account is unchanged, and gives every read an `ETag`. The
 * version of the account was read with the caller's key, so no response is older than its request.
 */
export const cacheResponse: Middleware = async (context, next) => {
  const { principal, request } = context;
  if (!principal || (request.method !== "GET" && request.method !== "HEAD")) return next();
  const reply = await findOrBuild(context, principal, next);
  return isUnchanged(request, reply) ? toNotModified(reply) : reply;
};

async function findOrBuild(
  { cachePolicy, request, accountVersion }: ApiContext,
  account: AccountRef,
  next: () => Promise<Reply>,
): Promise<Reply> {
  const version = cachePolicy && computeVersion(cachePolicy, account, accountVersion);
  const cached = cachePolicy && findCachedReply(cachePolicy, account, { request, version });
  if (cached) return cached;
  const reply = addEntityTag(encodeLarge(await next()));
  cacheReply(account, { request, version }, reply);
  return reply;
}

/** Returns the version of the data behind a response; null for a response that is not cached. */
function computeVersion(
  policy: CachePolicy,
  { mode }: AccountRef,
  accountVersion: string | null,
): string | null {
  if (accountVersion === null) return null;
  if (policy === "records") return accountVersion;
  if (mode === "live") return null;
  // Every commit of this process may change a price.
  return policy === "paper account" ? accountVersion : `${accountVersion}/${countCommits()}`;
}

/** Adds a weak tag of the body, because the body can be sent compressed (RFC 9110, 8.8.3). */
function addEntityTag(reply: Reply): Reply {
  const { answer, headers, payload } = reply;
  if (answer.status !== 200 || payload === null || payload instanceof ReadableStream) return reply;
  const etag = `W/"${hash("sha1", payload, "base64url")}"`;
  return new Reply(answer, { ...headers, etag }, payload);
}

/**
 * Whether the caller has the response already. A caller that sends `*` names no response that it has,
 * so it gets one; RFC 9110, 13.1.2 would answer 304, which the interface does not know.
 */
function isUnchanged({ headers }: ApiRequest, { headers: { etag } }: Reply): boolean {
  const known = headers.get("if-none-match");
  if (known === null || etag === undefined) return false;
  return known.split(",").some((each) => [etag, etag.slice(2)].includes(each.trim()));
}

const toNotModified = ({ headers }: Reply) =>
  new Reply({ status: NOT_MODIFIED, body: "" }, headers);

/** Returns the cached reply of this account and request if its version is current. */
export function findCachedReply(
  policy: CachePolicy,
  account: AccountRef,
  { request, version }: { request: ApiRequest; version: string | null },
): Reply | null {
  if (version === null) return null;
  const maxAge = policy === "paper account and prices" ? PRICES_MAX_AGE_MS : MAX_AGE_MS;
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
  replies.set(createKey(account, request), { reply, version, cachedAt: now() });
}

function encodeLarge(reply: Reply): Reply {
  const { answer, headers, payload } = reply;
  if (answer.status !== 200 || typeof payload !== "string") return reply;
  if (payload.length < ENCODED_FROM) return reply;
  return new Reply({ status: 200, body: "" }, headers, new TextEncoder().encode(payload));
}

const countBytes = ({ payload }: Reply) => (payload instanceof Uint8Array ? payload.length : 0);

/** The cache key has no API key: all keys of an account read the same data. */
function createKey({ userId, mode }: AccountRef, { pathname, searchParams }: ApiRequest): string {
  return `${userId} ${mode} ${publicPath(pathname)}?${searchParams}`;
}
