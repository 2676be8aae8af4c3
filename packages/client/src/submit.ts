// Writes that have an idempotency key: executed once, whatever happens to requests and responses.
import { AnteError, type ApiError, OutcomeUnknown } from "./errors.ts";
import { writeJson } from "./decimal.ts";
import type { Journal, JournalEntry } from "./journal.ts";
import { type CallOptions, isTemporary, type Patience, repeat } from "./repeat.ts";
import type { Reply, Server } from "./transport.ts";
import type { SimulatedFault } from "./types.ts";

export interface SubmitOptions extends CallOptions {
  /** A key of your own, for an order that another system numbers. By default the client makes one. */
  idempotencyKey?: string | undefined;
  /** Simulates a fault in the first attempt. Paper keys only. */
  simulate?: SimulatedFault | undefined;
}

const PATHS: Record<JournalEntry["operation"], string> = {
  placeOrder: "/v1/orders",
  splitPosition: "/v1/positions/split",
  mergePositions: "/v1/positions/merge",
};

/** Makes a key that no other request has: 128 random bits. */
export function createIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `ac_${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

export interface Submitter {
  server: Server;
  patience: Patience;
  journal: Journal;
  keyId: string;
}

/** How a write is sent. `mayBeSent`: an earlier run may have sent it, so it can be executed already. */
interface Sending extends SubmitOptions {
  mayBeSent: boolean;
}

/**
 * Executes a write exactly once. The key is in the journal before the first attempt, and each attempt
 * sends the same bytes.
 *
 * @throws ApiError if it was refused: it had no effect and will have none.
 * @throws OutcomeUnknown if the deadline passed or the caller aborted after an attempt.
 */
export async function submit<Data>(
  submitter: Submitter,
  operation: JournalEntry["operation"],
  body: object,
  options: SubmitOptions = {},
): Promise<Data> {
  const idempotencyKey = options.idempotencyKey ?? createIdempotencyKey();
  const mayBeSent =
    options.idempotencyKey !== undefined && (await mayBeUnsettled(submitter, idempotencyKey));
  const entry: JournalEntry = {
    idempotencyKey,
    operation,
    body: { ...body },
    baseUrl: submitter.server.baseUrl,
    keyId: submitter.keyId,
    createdAt: new Date().toISOString(),
  };
  return send<Data>(submitter, entry, { ...options, mayBeSent });
}

/** A journal that can't be read may have any key. */
async function mayBeUnsettled({ journal }: Submitter, idempotencyKey: string): Promise<boolean> {
  const entries = await journal.listUnsettled?.();
  return entries?.some((entry) => entry.idempotencyKey === idempotencyKey) ?? true;
}

/** Repeats a write of the journal with its key. Throws as `submit`, and OTHER_KEY for one of another account. */
export async function resubmit<Data>(
  submitter: Submitter,
  entry: JournalEntry,
  options: CallOptions = {},
): Promise<Data> {
  const { idempotencyKey, keyId, baseUrl } = entry;
  if (keyId !== submitter.keyId || baseUrl !== submitter.server.baseUrl) {
    throw new AnteError(
      "OTHER_KEY",
      `${idempotencyKey} was sent to ${baseUrl} with the API key ${keyId}. Finish it there with that key, because another service or account would place it again.`,
    );
  }
  return send<Data>(submitter, entry, { ...options, mayBeSent: true });
}

async function send<Data>(
  submitter: Submitter,
  entry: JournalEntry,
  sending: Sending,
): Promise<Data> {
  // Refuses wrong arguments before anything is recorded.
  const body = writeJson({ ...entry.body, idempotencyKey: entry.idempotencyKey });
  sending.signal?.throwIfAborted();
  await submitter.journal.begin(entry);
  const data = await submitUntilKnown(submitter, entry, body, sending);
  await submitter.journal.settle(entry.idempotencyKey, { status: "accepted", data });
  return data as Data;
}

/** Repeats until the outcome is known. Records a refusal in the journal, and throws it. */
async function submitUntilKnown(
  { server, patience, journal }: Submitter,
  { operation, idempotencyKey }: JournalEntry,
  body: string,
  { signal, deadlineMs = patience.deadlineMs, simulate, mayBeSent }: Sending,
): Promise<Record<string, unknown>> {
  const request = { method: "POST", path: PATHS[operation], body } as const;
  const judgeReply = (reply: Reply, wasAmbiguous: boolean) =>
    judge(reply, wasAmbiguous || mayBeSent, operation === "placeOrder" ? idempotencyKey : null);
  let sent = 0;
  const { reply, attempts, wasAmbiguous } = await repeat(
    server,
    (attempt) => {
      sent = attempt;
      const isSimulated = attempt === 1 && simulate !== undefined;
      return isSimulated ? { ...request, headers: { "x-rehearse": simulate } } : request;
    },
    (each, wasAmbiguousBefore) => judgeReply(each, wasAmbiguousBefore) !== "repeat",
    { ...patience, deadlineMs, signal },
  ).catch((reason: unknown) => {
    // The caller aborted.
    throw sent === 0 ? reason : new OutcomeUnknown(idempotencyKey, sent, reason);
  });
  const verdict = judgeReply(reply, wasAmbiguous);
  if (reply.kind === "success" && verdict === "accepted")
    return reply.data as Record<string, unknown>;
  // If the rate limit refused every attempt, none had an effect.
  const isRefused = verdict === "refused" || !(wasAmbiguous || mayBeSent);
  if (reply.kind === "failure" && isRefused) {
    const { code, message } = reply.error;
    await journal.settle(idempotencyKey, { status: "refused", code, message });
    throw reply.error;
  }
  throw new OutcomeUnknown(idempotencyKey, attempts, reply.kind === "success" ? null : reply.error);
}

/** `unknown` means that repeating with this API key and address can't find out more. */
type Verdict = "accepted" | "refused" | "repeat" | "unknown";

/**
 * Judges what a reply says about the write. 200 is accepted, 400 is refused for good, and everything from
 * 500 on is unknown: the interface says so. A 401, a 405 and an unknown path are decided before the key is
 * looked up, so they prove nothing if an earlier attempt may have been executed.
 *
 * @param expectedKey the key that an acknowledgement must name; null if the response has none.
 */
function judge(reply: Reply, wasAmbiguous: boolean, expectedKey: string | null): Verdict {
  if (reply.kind === "success") {
    const isOurs = expectedKey === null || getKey(reply.data) === expectedKey;
    return isOurs ? "accepted" : "repeat";
  }
  if (isTemporary(reply)) return "repeat";
  if (reply.kind === "none" || !wasAmbiguous) return "refused";
  return provesRefusal(reply.error) ? "refused" : "unknown";
}

function provesRefusal({ status, code }: ApiError): boolean {
  return status === 400 || (status === 404 && code !== "ROUTE_NOT_FOUND");
}

const getKey = (data: object) => ("idempotencyKey" in data ? data.idempotencyKey : undefined);
