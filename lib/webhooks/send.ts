import "server-only";
import { lookup as lookUpHost, type LookupAddress } from "node:dns";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { promisify } from "node:util";
import { isPublicAddress, readAddress } from "@/lib/webhooks/check-address";

/** The most time of one attempt: connecting, sending and reading the answer. */
const TIMEOUT_MS = 15_000;
/** How much of an answer is read. */
const MAX_ANSWER_BYTES = 4_096;
/** A longer wait is cut to this. */
const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000;

/** What is sent, and where. */
export interface Outbound {
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** Also sends to http and to private addresses, for development. */
  allowsPrivate: boolean;
}

export type SendResult =
  | {
      outcome: "answered";
      status: number;
      /** The first 4 kB of the answer. */
      body: string;
      /** How long the receiver asks to wait; null if it does not. */
      retryAfterMs: number | null;
      durationMs: number;
    }
  /** Nothing was answered. The reason is a sentence for users. */
  | { outcome: "failed"; reason: string; durationMs: number };

/** Resolves a host name to all its addresses. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

interface SendOptions {
  resolve?: Resolve;
  timeoutMs?: number;
}

class Refused extends Error {}

const resolveHost: Resolve = async (hostname) =>
  promisify(lookUpHost)(hostname, { all: true, verbatim: true });

/**
 * Sends a message once to an address that a user gave. Resolves the host, refuses it if any of its
 * addresses is private, and connects to an address that was checked, so that a second answer of the name
 * server changes nothing. Follows no redirect.
 */
export async function sendOutbound(
  outbound: Outbound,
  { resolve = resolveHost, timeoutMs = TIMEOUT_MS }: SendOptions = {},
): Promise<SendResult> {
  const startedAt = performance.now();
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), timeoutMs);
  const measure = () => Math.round(performance.now() - startedAt);
  try {
    const url = new URL(outbound.url);
    const address = await withAbort(findAddress(url, outbound, resolve), stop.signal);
    const response = await post({ ...outbound, url }, address, stop.signal);
    const body = await readStart(response, stop.signal);
    return {
      outcome: "answered",
      status: response.statusCode ?? 0,
      body,
      retryAfterMs: parseRetryAfter(response.headers["retry-after"]),
      durationMs: measure(),
    };
  } catch (error) {
    const seconds = Math.round(timeoutMs / 1_000);
    const reason = stop.signal.aborted
      ? `The receiver did not answer within ${seconds} seconds.`
      : describeFailure(error);
    return { outcome: "failed", reason, durationMs: measure() };
  } finally {
    clearTimeout(timer);
  }
}

/** Returns an address of the host that may be connected to. Throws if one of them may not. */
async function findAddress(
  { protocol, hostname }: URL,
  { allowsPrivate }: Outbound,
  resolve: Resolve,
): Promise<LookupAddress> {
  if (protocol !== "https:" && !allowsPrivate) throw new Refused("The address is not https.");
  const literal = readAddress(hostname);
  const found =
    literal === null
      ? await resolve(hostname)
      : [{ address: literal, family: literal.includes(":") ? 6 : 4 }];
  const [first] = found;
  if (!first) throw new Refused("The host has no address.");
  if (!allowsPrivate && found.some(({ address }) => !isPublicAddress(address))) {
    throw new Refused("The host has a private, local or reserved address, so nothing was sent.");
  }
  return first;
}

function post(
  { url, headers, body }: Omit<Outbound, "url"> & { url: URL },
  address: LookupAddress,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const hostname = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return new Promise((answer, fail) => {
    const request = send(
      {
        // The connection goes to the checked address, and the certificate is that of the host.
        host: address.address,
        family: address.family,
        port: url.port || (url.protocol === "https:" ? 443 : 80),
        path: `${url.pathname}${url.search}`,
        method: "POST",
        headers: { ...headers, host: url.host, "content-length": Buffer.byteLength(body) },
        // An address is no name for the server to choose a certificate by.
        ...(readAddress(url.hostname) === null ? { servername: hostname } : {}),
        agent: false,
        signal,
      },
      answer,
    );
    request.on("error", fail);
    request.end(body);
  });
}

/** Reads the start of an answer and leaves the rest. */
async function readStart(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const destroy = () => response.destroy();
  signal.addEventListener("abort", destroy);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_ANSWER_BYTES) break;
    }
  } finally {
    signal.removeEventListener("abort", destroy);
    response.destroy();
  }
  signal.throwIfAborted();
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString("utf8");
}

/** Reads `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3). */
export function parseRetryAfter(text: string | undefined, at = Date.now()): number | null {
  if (text === undefined) return null;
  const written = text.trim();
  const isDate = /^[A-Z][a-z]{2},/.test(written);
  if (!isDate && !/^\d{1,9}$/.test(written)) return null;
  const ms = isDate ? Date.parse(written) - at : Number(written) * 1_000;
  return Number.isNaN(ms) ? null : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, ms));
}

function withAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
    work.then(resolve, reject);
  });
}

const FAILURES: Record<string, string> = {
  ENOTFOUND: "The host name does not exist.",
  EAI_AGAIN: "The host name could not be looked up.",
  ECONNREFUSED: "The receiver refused the connection.",
  ECONNRESET: "The receiver closed the connection.",
  EHOSTUNREACH: "The receiver cannot be reached.",
  ENETUNREACH: "The receiver cannot be reached.",
  CERT_HAS_EXPIRED: "The receiver's certificate has expired.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The receiver's certificate is signed by nobody else.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The receiver's certificate is for another host.",
};

function describeFailure(error: unknown): string {
  if (error instanceof Refused) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return FAILURES[code] ?? `The connection failed${code === "" ? "" : ` (${code})`}.`;
}
