import "server-only";
import { now } from "@/lib/clock";
import { countCommits } from "@/lib/db/client";
import type { CallerRow } from "@/lib/db/queries/callers";
import type { AccountRef } from "@/lib/db/queries/mode";
import { publicPath } from "@/lib/http/gate";
import type { ApiRequest } from "@/lib/http/request";
import { Reply } from "@/lib/http/respond";

/** What an answer is made of, which decides for how long it is the answer. */
export type Keeping = "account" | "open orders" | "order" | "account and prices";

/** Bytes that a process keeps; what was not asked for again goes first. */
const MAX_KEPT = 32 * 1024 * 1024;
/** A larger answer would push out too many others. */
const MAX_SIZE = MAX_KEPT / 32;
/** What an entry takes besides its texts, about. */
const ENTRY_SIZE = 512;
/** From here on it is quicker to send bytes than text; below, the headers and a text go as one. */
const ENCODED_FROM = 4_096;
/** Transaction numbers come back after some milliards; nothing is kept for nearly so long. */
const MAX_AGE_MS = 60_000;
/** Prices move by themselves, and through other processes. */
const PRICES_MAX_AGE_MS = 1_000;
const ORDER_PATH = /\/(ord_[0-9A-HJKMNP-TV-Z]{26})$/;

interface Kept {
  reply: Reply;
  stamp: string;
  at: number;
  size: number;
  /** Given again since it was made, or since it was last spared. */
  isUsed: boolean;
}

const replies = new Map<string, Kept>();
let keptSize = 0;

/** The order that a path ends in; null for none. */
export function orderIdIn({ pathname }: ApiRequest): string | null {
  return ORDER_PATH.exec(pathname)?.[1] ?? null;
}

/**
 * Tells the state apart that an answer is made of. It comes with the caller's key, in the round trip
 * that every request makes, and so is never older than the request. Null: nothing is kept.
 */
export function stampOf(keeping: Keeping, caller: CallerRow): string | null {
  const { accountStamp, openOrdersStamp, orderStamp } = caller;
  if (keeping === "order") return orderStamp;
  if (keeping === "open orders") return accountStamp ?? openOrdersStamp;
  if (keeping === "account" || accountStamp === null) return accountStamp;
  // Any order that this process has taken since may have moved a price.
  return `${accountStamp}/${countCommits()}`;
}

/** The answer that was given to the same caller before, while nothing of it can have changed. */
export function findReply(
  keeping: Keeping,
  account: AccountRef,
  { request, stamp }: { request: ApiRequest; stamp: string | null },
): Reply | null {
  if (stamp === null) return null;
  const key = keyOf(account, request);
  const kept = replies.get(key);
  if (kept?.stamp !== stamp || now() - kept.at >= maxAgeOf(keeping)) return null;
  // Moving it to the end at each use would leave a table behind every few requests.
  kept.isUsed = true;
  return kept.reply;
}

/** @param stamp of the state before the answer was made: a newer answer under it does no harm. */
export function keepReply(
  account: AccountRef,
  { request, stamp }: { request: ApiRequest; stamp: string | null },
  reply: Reply,
): void {
  if (stamp === null) return;
  const key = keyOf(account, request);
  // A text with one character beyond Latin-1 takes two bytes for each, and so do its bytes.
  const size = 2 * (key.length + 2 * reply.answer.body.length) + ENTRY_SIZE;
  if (size > MAX_SIZE) return;
  drop(key);
  replies.set(key, { reply: encoded(reply), stamp, at: now(), size, isUsed: false });
  keptSize += size;
  makeRoom();
}

function encoded(reply: Reply): Reply {
  const { answer, headers } = reply;
  if (answer.body.length < ENCODED_FROM) return reply;
  return new Reply(answer, headers, new TextEncoder().encode(answer.body));
}

/** Lets the oldest answers go; those that were used since go to the end of the row first, once. */
function makeRoom(): void {
  for (const [oldest, kept] of replies) {
    if (keptSize <= MAX_KEPT) return;
    drop(oldest);
    if (!kept.isUsed) continue;
    replies.set(oldest, { ...kept, isUsed: false });
    keptSize += kept.size;
  }
}

function drop(key: string): void {
  keptSize -= replies.get(key)?.size ?? 0;
  replies.delete(key);
}

const maxAgeOf = (keeping: Keeping) =>
  keeping === "account and prices" ? PRICES_MAX_AGE_MS : MAX_AGE_MS;

/** Keys of one account read alike. */
function keyOf({ userId, mode }: AccountRef, { pathname, searchParams }: ApiRequest): string {
  return `${userId} ${mode} ${publicPath(pathname)}?${searchParams}`;
}
