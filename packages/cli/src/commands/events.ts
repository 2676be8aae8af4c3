import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import {
  type AccountEvent,
  type Ante,
  type EventType,
  type FollowedEvent,
  signWebhook,
} from "@ante/client";
import {
  type Command,
  getNumber,
  getText,
  type Given,
  refuseArguments,
  requireText,
  UsageError,
} from "../command.ts";
import type { Output } from "../output.ts";
import { findFiles, writePrivate } from "../settings.ts";

const FOLLOW_OPTIONS = {
  after: {
    type: "string",
    help: "The last event that you have; 0 for all. By default it starts now.",
  },
  types: { type: "string", help: "Only these types, separated by commas." },
  count: { type: "string", help: "End after so many events." },
} as const;

const follow: Command = {
  name: "events follow",
  summary: "Show what happens to the account, as it happens. Misses nothing across disconnections.",
  options: FOLLOW_OPTIONS,
  examples: ["ante events follow --after 0", "ante events follow --types fill.created --json"],
  async run({ args, given, output, connect }) {
    refuseArguments(args);
    for await (const { event } of followGiven(connect(), given, output)) {
      output.result(event, () => `${event.seq}  ${event.createdAt}  ${describeEvent(event)}`);
    }
  },
};

/** Says what happened, and of an order or a fill which one it was. */
function describeEvent({ type, data }: AccountEvent): string {
  if ("order" in data) {
    const { id, action, filledShares, shares } = data.order;
    return `${type}  ${id}  ${action}, filled ${filledShares} of ${shares ?? "–"} shares`;
  }
  if ("fill" in data) {
    const { orderId, shares, price } = data.fill;
    return `${type}  ${orderId}  ${shares} shares at ${price}`;
  }
  return type;
}

const FORWARD_TIMEOUT_MS = 15_000;

const listen: Command = {
  name: "webhooks listen",
  summary: "Forward events to a local address, signed as webhooks are.",
  details: `Each event is sent once, in order, as a POST with the headers webhook-id, webhook-timestamp and
webhook-signature. The signing secret is shown at the start and stays the same on this computer.`,
  usage: "--forward <url>",
  options: {
    forward: { type: "string", short: "f", help: "Where to send the events." },
    ...FOLLOW_OPTIONS,
  },
  examples: ["ante webhooks listen --forward http://localhost:8080/hook"],
  async run({ args, given, output, connect }) {
    refuseArguments(args);
    const target = readUrl(requireText(given, "forward"));
    const ante = connect();
    const secret = readSecret();
    output.note(`Forwarding to ${target}. Signing secret: ${secret}`);
    for await (const followed of followGiven(ante, given, output)) {
      const result = await forward(followed, target, secret);
      const { seq, type } = followed.event;
      output.result(
        { seq, type, ...result },
        () => `${seq}  ${type}  ${result.status ?? result.error}`,
      );
    }
  },
};

export const EVENT_COMMANDS = [follow, listen];

/** Yields events as the options say, and writes a note when the connection breaks. */
async function* followGiven(
  ante: Ante,
  given: Given,
  output: Output,
): AsyncGenerator<FollowedEvent, void, void> {
  const count = getNumber(given, "count") ?? Infinity;
  if (count === 0) return;
  let seen = 0;
  const events = ante.events.followText({
    after: getNumber(given, "after"),
    types: getText(given, "types")?.split(",") as EventType[] | undefined,
    onDisconnect: ({ message }) => output.note(`Disconnected, connecting again. ${message}`),
  });
  for await (const followed of events) {
    yield followed;
    if ((seen += 1) >= count) return;
  }
}

interface Forwarded {
  status: number | null;
  error?: string;
}

async function forward(
  { event, text }: FollowedEvent,
  target: string,
  secret: string,
): Promise<Forwarded> {
  const id = `evt_${event.epoch}_${event.seq}`;
  const signature = await signWebhook({ id, timestamp: new Date(), body: text }, secret);
  try {
    const response = await fetch(target, {
      method: "POST",
      headers: { "content-type": "application/json", ...signature },
      body: text,
      redirect: "manual",
      signal: AbortSignal.timeout(FORWARD_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    return { status: null, error: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns this computer's signing secret, and creates it at first. */
function readSecret(): string {
  const path = findFiles(process.env).webhookSecret;
  if (existsSync(path)) return readFileSync(path, "utf8").trim();
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  writePrivate(path, `${secret}\n`);
  return secret;
}

function readUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new UsageError("--forward must be an address, such as http://localhost:8080/hook.");
  return text;
}
