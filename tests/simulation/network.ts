import { sumNotional } from "@/lib/domain/trade-parts";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { formatMicro } from "@/lib/units";
import { NoResponse, type UpstreamReply } from "@/lib/polymarket/http";
import {
  type Exchange,
  type Placement,
  sumMatched,
  type SignedTerms,
} from "@/tests/simulation/exchange";
import type { Scheduler } from "@/tests/simulation/scheduler";
import type { Trace } from "@/tests/simulation/trace";
import type { Random } from "@/tests/support/random";

/** A message that arrives after its sender timed out. */
interface LateMessage {
  at: number;
  deliver: () => void;
}

interface Parts {
  scheduler: Scheduler;
  exchange: Exchange;
  random: Random;
  trace: Trace;
}

interface Call {
  /** The idempotency key for the trace. */
  key: string;
  name: string;
  /** Delivers the request to the venue and returns its reply. */
  deliver: () => UpstreamReply;
}

const LONGEST_DELIVERY_MS = 400_000;
/** Share of calls with a fault while the network is not sound. */
const FAULT_RATE = 0.4;
/** Share of keys whose posts all arrive so late that the order may be abandoned by then. */
const STUCK_RATE = 0.08;
const MIN_STUCK_MS = 200_000;

const reply = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers,
  text: typeof body === "string" ? body : JSON.stringify(body),
});
const HTML = "<!doctype html><title>Just a moment...</title>";
const lost = (isSent = true) => new NoResponse("timeout", isSent, {});

/**
 * The network between the service and the venue. It loses, delays, repeats and corrupts requests and
 * responses.
 */
export class Network {
  isSound = false;
  private late: LateMessage[] = [];
  /** Whether all posts of a key arrive long after their timeout. */
  private readonly stuck = new Map<string, boolean>();

  constructor(private readonly parts: Parts) {}

  get lateCount(): number {
    return this.late.length;
  }

  /** Sends a write to the venue. Throws NoResponse if no response arrives. */
  async send(call: Call): Promise<UpstreamReply> {
    const { scheduler, random } = this.parts;
    // Decided now: whether the message still arrives if the process dies here.
    const isInFlight = !this.isSound && random.chance(0.5);
    await scheduler.gate({
      delayMs: random.integer(1, 60),
      onCrash: () => {
        if (isInFlight) this.deliverLate(call);
      },
    });
    const isStuck = call.name === "post" && this.isStuck(call.key);
    if (this.isSound || !(isStuck || random.chance(FAULT_RATE))) return this.deliverNow(call);
    const fault = isStuck ? "stuck" : random.pick(FAULTS);
    this.record(call, fault);
    return this.fail(call, fault);
  }

  /** Runs a read, or fails like the adapter's reads. */
  async read<T>(name: string, query: () => T): Promise<T> {
    const { scheduler, random, trace } = this.parts;
    await scheduler.gate({ delayMs: random.integer(1, 60) });
    if (this.isSound || !random.chance(0.12)) return query();
    trace.fault(null, `${name}: no answer`);
    await scheduler.gate({ delayMs: random.chance(0.5) ? 100 : env().SUBMIT_ATTEMPT_TIMEOUT_MS });
    throw random.pick(READ_FAILURES)();
  }

  /** Delivers late messages that are due. Returns how many. */
  deliverDue(): number {
    const due = this.late.filter(({ at }) => at <= this.parts.scheduler.now);
    this.late = this.late.filter((message) => !due.includes(message));
    for (const message of due) message.deliver();
    return due.length;
  }

  private isStuck(key: string): boolean {
    const known = this.stuck.get(key) ?? this.parts.random.chance(STUCK_RATE);
    this.stuck.set(key, known);
    return known;
  }

  private async fail(call: Call, fault: Fault): Promise<UpstreamReply> {
    const { scheduler, random } = this.parts;
    const timeOut = () => scheduler.gate({ delayMs: env().SUBMIT_ATTEMPT_TIMEOUT_MS });
    switch (fault) {
      case "unreachable":
        throw lost(false);
      case "lost on the way there":
        await timeOut();
        throw lost();
      case "lost on the way back":
        this.deliverNow(call);
        await timeOut();
        throw lost();
      case "late":
        this.deliverLate(call);
        await timeOut();
        throw lost();
      case "stuck":
        this.deliverLate(call, MIN_STUCK_MS);
        await timeOut();
        throw lost();
      case "late behind a failure":
        this.deliverLate(call);
        return random.pick(UNSEEN_FAILURES);
      case "delivered twice":
        this.deliverNow(call);
        return this.deliverNow(call);
      case "5xx unseen":
        return random.pick(UNSEEN_FAILURES);
      case "5xx seen":
        this.deliverNow(call);
        return random.pick(SEEN_FAILURES);
      case "garbage":
        return corrupt(this.deliverNow(call), random);
      case "not placed":
        return random.pick(NOT_PLACED);
    }
  }

  private deliverNow(call: Call): UpstreamReply {
    const answer = call.deliver();
    this.record(call, `venue answers ${answer.status} ${answer.text.slice(0, 90)}`, false);
    return answer;
  }

  private deliverLate(call: Call, least = 1_000): void {
    const { scheduler, random } = this.parts;
    const at = scheduler.now + random.integer(least, LONGEST_DELIVERY_MS);
    this.late.push({ at, deliver: () => this.deliverNow({ ...call, name: `late ${call.name}` }) });
  }

  private record({ key, name }: Call, text: string, isFault = true): void {
    if (isFault) this.parts.trace.fault(key, `${name}: ${text}`);
    else this.parts.trace.operation(key, `${name}: ${text}`);
  }
}

const FAULTS = [
  "unreachable",
  "lost on the way there",
  "lost on the way back",
  "late",
  "late",
  "late behind a failure",
  "delivered twice",
  "5xx unseen",
  "5xx seen",
  "5xx seen",
  "garbage",
  "not placed",
] as const;
type Fault = (typeof FAULTS)[number] | "stuck";

const READ_FAILURES = [
  () => new AppError("UPSTREAM_TIMEOUT", "the venue did not answer in time; try again"),
  () => new AppError("UPSTREAM_BAD_RESPONSE", "the venue's answer is not of the known form"),
  () => new AppError("UPSTREAM_ERROR", "the venue answered with status 500"),
];

/** The response to another order, as if a proxy had mixed up two responses. */
const FOREIGN = {
  success: true,
  orderID: `0x${"ab".repeat(32)}`,
  status: "live",
  makingAmount: "",
  takingAmount: "",
};
const UNSEEN_FAILURES = [
  reply(200, FOREIGN),
  reply(500, "<html>oops</html>"),
  reply(504, ""),
  reply(425, ""),
  reply(429, { error: "Too Many Requests" }),
  reply(200, HTML),
  reply(503, { error: "Trading is currently disabled. Check polymarket.com for updates" }),
];
const SEEN_FAILURES = [
  reply(429, { error: "Too Many Requests" }),
  reply(500, { error: "could not insert order" }),
  reply(500, { error: "order timed out" }),
  reply(502, "<html>Bad gateway</html>"),
  reply(425, ""),
];
/** Responses that prove that the order was not processed. */
const NOT_PLACED = [
  reply(429, { error: "Too Many Requests" }, { "retry-after": "1" }),
  reply(401, { error: "Unauthorized/Invalid api key" }),
  reply(400, { error: "the market is not yet ready to process new orders" }),
];

function corrupt(answer: UpstreamReply, random: Random): UpstreamReply {
  const { text } = answer;
  if (answer.status !== 200) return { ...answer, status: 502 };
  return random.pick([
    reply(200, text.slice(0, text.length / 2)),
    reply(200, ""),
    reply(200, text.replaceAll(/0x[0-9a-f]{64}/g, `0x${"ab".repeat(32)}`)),
    reply(200, text.replace(/"status":"\w+"/, '"status":"unmatched"').replace("canceled", "gone")),
  ]);
}

/** Builds the venue's response to a posted order. */
export function buildPlacementReply(ticket: SignedTerms, placement: Placement): UpstreamReply {
  if (placement.kind === "refused") return reply(400, { error: placement.text });
  const { order } = placement;
  const size = sumMatched(order);
  const cash = sumNotional(order.trades.flatMap(({ parts }) => parts));
  const [making, taking] = ticket.action === "BUY" ? [cash, size] : [size, cash];
  const status = size > 0n ? "matched" : order.status === "delayed" ? "delayed" : "live";
  return reply(200, {
    success: true,
    errorMsg: "",
    orderID: ticket.venueOrderId,
    status,
    makingAmount: formatMicro(making),
    takingAmount: formatMicro(taking),
    tradeIDs: order.trades.map(({ tradeId }) => tradeId),
  });
}

/** Builds the venue's response to a cancel. */
export function buildCancelReply(venueOrderId: string, isCanceled: boolean): UpstreamReply {
  return buildCancelsReply([[venueOrderId, isCanceled]]);
}

/** Builds the venue's response to a cancel of several orders, each with whether it was canceled. */
export function buildCancelsReply(results: readonly (readonly [string, boolean])[]): UpstreamReply {
  const reason = "order can't be found - already canceled or matched";
  const missed = results.filter(([, isCanceled]) => !isCanceled);
  return reply(200, {
    canceled: results.filter(([, isCanceled]) => isCanceled).map(([id]) => id),
    not_canceled: Object.fromEntries(missed.map(([id]) => [id, reason])),
  });
}
