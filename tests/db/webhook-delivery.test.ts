import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { deposit } from "@/lib/accounts/deposit";
import { getDb } from "@/lib/db/client";
import { leaseDeliveries, type WebhookDeliveryRow } from "@/lib/db/queries/webhook-deliveries";
import { webhookDeliveries, webhookEndpoints } from "@/lib/db/schema/webhooks";
import { listEvents } from "@/lib/events/list-events";
import { successBody } from "@/lib/schemas/envelope";
import { EventList } from "@/lib/schemas/events";
import type { CreateWebhookBody } from "@/lib/schemas/webhooks";
import { usdc } from "@/lib/units";
import { deliverDue } from "@/lib/webhooks/deliver";
import { enqueueEvents } from "@/lib/webhooks/enqueue";
import {
  getBacklog,
  getDelivery,
  getDeliveryQueue,
  listDeliveries,
  resendDelivery,
} from "@/lib/webhooks/list-deliveries";
import {
  changeWebhook,
  createWebhook,
  getWebhook,
  replayEvents,
  rotateWebhook,
  type WebhookWithSecret,
} from "@/lib/webhooks/manage-webhooks";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeUser, type TestUser } from "@/tests/support/users";
import {
  allowPrivate,
  type Received,
  useReceiver,
  verify,
} from "@/tests/support/webhooks/receiver";

allowPrivate();
useFreshDatabase();
const receiver = useReceiver();

const LONG = 60_000;
const AMOUNT = usdc(1_000_000n);

let user: TestUser;
beforeEach(async () => {
  await (await getDb()).delete(webhookEndpoints);
  receiver.received.length = 0;
  user = await makeUser();
  receiver.respond = () => ({ status: 204 });
});

/** Creates an active endpoint and forgets the test message. */
async function makeEndpoint(
  options: Partial<CreateWebhookBody> = {},
  { principal } = user,
): Promise<WebhookWithSecret> {
  const endpoint = await createWebhook(principal, { url: receiver.url, ...options });
  receiver.received.length = 0;
  return endpoint;
}

/** Adds two events to the log per deposit. */
async function makeDeposits(count: number, { userId } = user): Promise<void> {
  for (let made = 0; made < count; made += 1) await deposit(userId, AMOUNT);
}

const readEvent = ({ body }: Received) =>
  JSON.parse(body) as { seq: number; previousSeq: number; type: string };
const readId = ({ headers }: Received) => headers["webhook-id"];
const listAcknowledged = () => receiver.received.filter(({ isAcknowledged }) => isAcknowledged);
const listSeqs = (messages: readonly Received[]) => messages.map((each) => readEvent(each).seq);
const countTo = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

async function readRows(webhookId: string): Promise<WebhookDeliveryRow[]> {
  return (await getDb())
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, webhookId))
    .orderBy(webhookDeliveries.position);
}

/** Makes every pending delivery of an endpoint due, as if its pause had passed. */
async function passPauses(webhookId: string): Promise<void> {
  await (
    await getDb()
  ).execute(
    sql`update webhook_deliveries set next_attempt_at = created_at
        where endpoint_id = ${webhookId} and status = 'pending'`,
  );
}

async function hasPending(webhookId: string): Promise<boolean> {
  return (await readRows(webhookId)).some(({ status }) => status === "pending");
}

/** Delivers until nothing is pending. */
async function deliverAll(webhookId: string, workers = 1): Promise<void> {
  do {
    await passPauses(webhookId);
    await Promise.all(Array.from({ length: workers }, () => deliverDue(LONG)));
  } while (await hasPending(webhookId));
}

/** Fails with a chance of 30 %, the same in every run. */
function failOften(): void {
  let state = 7;
  receiver.respond = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return { status: state / 2 ** 31 < 0.3 ? 500 : 200 };
  };
}

describe("a receiver that fails 30 % of the time", () => {
  it.each([1, 2])("gets every event in order from %s workers", async (workers) => {
    const { id, secret, lastSeq } = await makeEndpoint();
    await makeDeposits(40);
    failOften();
    await deliverAll(id, workers);
    const acknowledged = listAcknowledged();
    expect(listSeqs(acknowledged)).toEqual(countTo(lastSeq + 1, lastSeq + 80));
    expect(receiver.received.length).toBeGreaterThan(90);
    for (const message of receiver.received) {
      verify(message, secret);
      expect(readEvent(message).previousSeq).toBe(readEvent(message).seq - 1);
    }
    // No event is sent before the one before it was acknowledged.
    let done = lastSeq;
    for (const message of receiver.received) {
      expect(readEvent(message).seq).toBe(done + 1);
      if (message.isAcknowledged) done += 1;
    }
  });

  it.each([1, 2])("gets every event without an order from %s workers", async (workers) => {
    const { id, secret, lastSeq } = await makeEndpoint({ ordered: false });
    await makeDeposits(40);
    failOften();
    await deliverAll(id, workers);
    const seqs = listSeqs(listAcknowledged()).toSorted((a, b) => a - b);
    expect(seqs).toEqual(countTo(lastSeq + 1, lastSeq + 80));
    for (const message of receiver.received) verify(message, secret);
  });

  it("gets the same id and body in every attempt of an event", async () => {
    const { id } = await makeEndpoint();
    await makeDeposits(15);
    failOften();
    await deliverAll(id);
    const sent = new Map<number, Set<string>>();
    for (const message of receiver.received) {
      const { seq } = readEvent(message);
      sent.set(seq, (sent.get(seq) ?? new Set()).add(`${readId(message)} ${message.body}`));
    }
    expect([...sent.values()].every((forms) => forms.size === 1)).toBe(true);
    expect(new Set(receiver.received.map(readId)).size).toBe(30);
  });
});

it("the body is the event as GET /v1/events gives it", async () => {
  const { lastSeq } = await makeEndpoint();
  await makeDeposits(1);
  await deliverDue(LONG);
  const body = successBody(EventList, await listEvents(user.principal, { after: lastSeq }));
  const { data } = JSON.parse(body) as { data: { events: unknown[] } };
  expect(receiver.received.map(readEvent)).toEqual(data.events);
});

it("two accounts get their own events only", async () => {
  const other = await makeUser();
  const [mine, theirs] = [await makeEndpoint(), await makeEndpoint({}, other)];
  await makeDeposits(2);
  await makeDeposits(1, other);
  await deliverDue(LONG);
  expect(await readRows(mine.id)).toHaveLength(4);
  expect(await readRows(theirs.id)).toHaveLength(2);
  expect(receiver.received).toHaveLength(6);
});

describe("a filter of types", () => {
  it("sends these types only, and each names the one given before it", async () => {
    const { id, lastSeq } = await makeEndpoint({ types: ["deposit.created"] });
    await makeDeposits(3);
    await deliverDue(LONG);
    const events = receiver.received.map(readEvent);
    expect(events.map(({ type }) => type)).toEqual(Array(3).fill("deposit.created"));
    expect(events.map(({ seq, previousSeq }) => [seq, previousSeq])).toEqual([
      [lastSeq + 1, lastSeq],
      [lastSeq + 3, lastSeq + 1],
      [lastSeq + 5, lastSeq + 3],
    ]);
    // The events that it does not want are behind it, too.
    expect((await getWebhook(user.principal, id)).lastSeq).toBe(lastSeq + 6);
  });

  it("an account that only has other events enqueues nothing", async () => {
    const { id } = await makeEndpoint({ types: ["venue.degraded"] });
    await makeDeposits(1);
    await deliverDue(LONG);
    expect(await readRows(id)).toEqual([]);
  });
});

describe("a worker that dies", () => {
  it("keeps its delivery from others until its lease ends, and nothing is lost", async () => {
    const { id, lastSeq } = await makeEndpoint();
    await makeDeposits(2);
    await enqueueEvents(id);
    const lease = { leaseMs: 60_000, limit: 8 };
    const leased = await leaseDeliveries(await getDb(), { id, isOrdered: true }, lease);
    expect(leased.map(({ seq }) => seq)).toEqual([lastSeq + 1]);
    await deliverDue(LONG);
    expect(receiver.received).toEqual([]);
    await (
      await getDb()
    ).execute(
      sql`update webhook_deliveries set leased_until = created_at where endpoint_id = ${id}
          and leased_until is not null`,
    );
    await deliverDue(LONG);
    expect(listSeqs(receiver.received)).toEqual(countTo(lastSeq + 1, lastSeq + 4));
  });
});

describe("attempts", () => {
  it("an attempt is recorded with the response and the headers as sent", async () => {
    receiver.respond = () => ({ status: 200 });
    const { id } = await makeEndpoint();
    await makeDeposits(1);
    receiver.respond = () => ({ status: 503 });
    await deliverDue(LONG);
    const { deliveries } = await listDeliveries(user.principal, id, {});
    const [last, first] = deliveries;
    expect(last).toMatchObject({ status: "pending", attemptCount: 0, attempts: [] });
    expect(first).toMatchObject({
      status: "pending",
      attemptCount: 1,
      attempts: [{ statusCode: 503, error: null, answer: "" }],
    });
    expect(await getDeliveryQueue(user.principal, id)).toEqual({
      isActive: true,
      first: {
        id: first?.id,
        seq: first?.seq,
        nextAttemptAt: first?.nextAttemptAt?.toISOString(),
      },
    });
    const [message] = receiver.received;
    const detail = await getDelivery(user.principal, id, first?.id ?? "");
    expect(detail.request.body).toBe(message?.body);
    expect(message?.headers).toMatchObject(detail.request.headers ?? { missing: true });
  });

  it("an endpoint that can't be reached is recorded with the reason", async () => {
    const { id } = await makeEndpoint();
    // Nothing listens on the port of the discard protocol.
    await (
      await getDb()
    )
      .update(webhookEndpoints)
      .set({ url: "http://127.0.0.1:9/" })
      .where(eq(webhookEndpoints.id, id));
    await makeDeposits(1);
    await deliverDue(LONG);
    const [row] = await readRows(id);
    expect(row?.attempts).toMatchObject([{ statusCode: null, error: expect.any(String) }]);
    expect((await getWebhook(user.principal, id)).failingSince).not.toBeNull();
  });

  it("Retry-After postpones the next attempt", async () => {
    const { id } = await makeEndpoint();
    await makeDeposits(1);
    receiver.respond = () => ({ status: 429, headers: { "retry-after": "3600" } });
    await deliverDue(LONG);
    const [row] = await readRows(id);
    const pause = (row?.nextAttemptAt.getTime() ?? 0) - Date.parse(row?.attempts[0]?.at ?? "");
    expect(pause).toBeGreaterThanOrEqual(3_599_000);
  });

  it("after ten attempts an unordered delivery is failed and the others go on", async () => {
    const { id, lastSeq } = await makeEndpoint({ ordered: false });
    await makeDeposits(1);
    receiver.respond = ({ body }) => ({ status: body.includes("deposit.created") ? 500 : 200 });
    await deliverAll(id);
    const [first, second] = await readRows(id);
    expect(first).toMatchObject({ seq: lastSeq + 1, status: "failed", attemptCount: 10 });
    expect(first?.attempts).toHaveLength(10);
    expect(second).toMatchObject({ status: "delivered", attemptCount: 1 });
  });

  it("after ten attempts an ordered endpoint stays at its oldest delivery", async () => {
    const { id, lastSeq } = await makeEndpoint();
    await makeDeposits(1);
    receiver.respond = () => ({ status: 500 });
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await passPauses(id);
      await deliverDue(LONG);
    }
    expect(new Set(listSeqs(receiver.received))).toEqual(new Set([lastSeq + 1]));
    const [first, second] = await readRows(id);
    expect(first).toMatchObject({ status: "pending", attemptCount: 12 });
    expect(first?.attempts).toHaveLength(10);
    expect(second).toMatchObject({ status: "pending", attemptCount: 0 });
    receiver.respond = () => ({ status: 200 });
    await deliverAll(id);
    expect(listSeqs(listAcknowledged())).toEqual([lastSeq + 1, lastSeq + 2]);
  });
});

describe("an endpoint is disabled", () => {
  const readDisabled = async () =>
    (await listEvents(user.principal, { types: ["webhook.disabled"] })).events;

  it("by a response of 410, with an event", async () => {
    const { id, url } = await makeEndpoint();
    await makeDeposits(2);
    receiver.respond = () => ({ status: 410 });
    await deliverDue(LONG);
    expect(receiver.received).toHaveLength(1);
    const { status, disabledReason } = await getWebhook(user.principal, id);
    expect(status).toBe("disabled");
    expect(disabledReason).toContain("410");
    expect(await readDisabled()).toMatchObject([
      { data: { webhookId: id, url, reason: disabledReason } },
    ]);
    await passPauses(id);
    await deliverDue(LONG);
    expect(receiver.received).toHaveLength(1);
  });

  it("after five days without a success, and not before", async () => {
    const { id } = await makeEndpoint();
    await makeDeposits(1);
    receiver.respond = () => ({ status: 500 });
    const failFor = async (hours: number) => {
      await (
        await getDb()
      ).execute(
        sql`update webhook_endpoints set failing_since = now() - ${hours} * interval '1 hour'
            where id = ${id}`,
      );
      await passPauses(id);
      await deliverDue(LONG);
      return (await getWebhook(user.principal, id)).status;
    };
    expect(await failFor(119)).toBe("active");
    expect(await readDisabled()).toEqual([]);
    expect(await failFor(121)).toBe("disabled");
    expect(await readDisabled()).toHaveLength(1);
  });

  it("a success ends the days of failure", async () => {
    const { id } = await makeEndpoint();
    await makeDeposits(1);
    receiver.respond = () => ({ status: 500 });
    await deliverDue(LONG);
    expect((await getWebhook(user.principal, id)).failingSince).not.toBeNull();
    receiver.respond = () => ({ status: 200 });
    await deliverAll(id);
    expect((await getWebhook(user.principal, id)).failingSince).toBeNull();
  });

  it("once it is active again, it gets everything that it missed", async () => {
    const { id, lastSeq } = await makeEndpoint();
    await changeWebhook(user.principal, id, { status: "disabled" });
    await makeDeposits(3);
    await deliverDue(LONG);
    expect(receiver.received).toEqual([]);
    await changeWebhook(user.principal, id, { status: "active" });
    receiver.received.length = 0;
    await deliverDue(LONG);
    expect(listSeqs(receiver.received)).toEqual(countTo(lastSeq + 1, lastSeq + 6));
  });
});

it("messages carry a signature of both secrets for a day after a rotation", async () => {
  const former = await makeEndpoint();
  const fresh = await rotateWebhook(user.principal, former.id);
  await makeDeposits(1);
  await deliverDue(LONG);
  expect(receiver.received).toHaveLength(2);
  for (const message of receiver.received) {
    verify(message, former.secret);
    verify(message, fresh.secret);
  }
  await (
    await getDb()
  )
    .update(webhookEndpoints)
    .set({ previousSecretEndsAt: new Date(Date.now() - 1) })
    .where(eq(webhookEndpoints.id, former.id));
  receiver.received.length = 0;
  await makeDeposits(1);
  await deliverDue(LONG);
  for (const message of receiver.received) {
    verify(message, fresh.secret);
    expect(() => verify(message, former.secret)).toThrow();
  }
});

describe("the backlog of an endpoint", () => {
  it.each([[true], [false]])(
    "has the last response, the next attempt and the waiting events, ordered: %s",
    async (ordered) => {
      const { id } = await makeEndpoint({ ordered });
      const none = { events: 0, nextAttemptAt: null, lastAttempt: null };
      expect(await getBacklog(user.principal, id)).toEqual(none);
      await makeDeposits(1);
      receiver.respond = () => ({ status: 503 });
      await deliverDue(LONG);
      const [first, second] = await readRows(id);
      if (!first || !second) throw new Error("the deposit has two events");
      const { nextAttemptAt } =
        ordered || first.nextAttemptAt < second.nextAttemptAt ? first : second;
      expect(await getBacklog(user.principal, id)).toMatchObject({
        events: 2,
        nextAttemptAt,
        lastAttempt: { statusCode: 503 },
      });
    },
  );

  it("that is disabled includes the events since, of the types that it gets", async () => {
    const { id } = await makeEndpoint({ types: ["deposit.created"] });
    receiver.respond = () => ({ status: 410 });
    await makeDeposits(1);
    await deliverDue(LONG);
    await makeDeposits(2);
    expect(await getBacklog(user.principal, id)).toMatchObject({
      events: 3,
      nextAttemptAt: null,
      lastAttempt: { statusCode: 410 },
    });
  });
});

describe("replay", () => {
  it("sends the events after a number again, in order, before new ones", async () => {
    const { id, lastSeq } = await makeEndpoint();
    await makeDeposits(3);
    await deliverDue(LONG);
    const first = receiver.received.splice(0);
    const after = lastSeq + 2;
    expect(await replayEvents(user.principal, id, after)).toEqual({ after, events: 4 });
    await makeDeposits(1);
    await deliverDue(LONG);
    expect(listSeqs(receiver.received)).toEqual(countTo(after + 1, lastSeq + 8));
    expect(readEvent(receiver.received[0] as Received).previousSeq).toBe(after);
    const ids = [...first, ...receiver.received].map(readId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("replaces what is pending, so that nothing is sent twice", async () => {
    const { id, lastSeq } = await makeEndpoint();
    await makeDeposits(2);
    await enqueueEvents(id);
    const replay = await replayEvents(user.principal, id, lastSeq + 1);
    expect(replay.events).toBe(3);
    await deliverDue(LONG);
    expect(listSeqs(receiver.received)).toEqual(countTo(lastSeq + 1, lastSeq + 4));
  });
});

it("a resent delivery keeps its id and its place", async () => {
  const { id } = await makeEndpoint();
  await makeDeposits(2);
  await deliverDue(LONG);
  const [first] = receiver.received.splice(0);
  const resent = await resendDelivery(user.principal, id, first?.headers["webhook-id"] ?? "");
  expect(resent).toMatchObject({ status: "pending", attemptCount: 0 });
  await deliverDue(LONG);
  expect(receiver.received.map(({ body }) => body)).toEqual([first?.body]);
  expect(receiver.received.map(readId)).toEqual([first && readId(first)]);
  expect(await hasPending(id)).toBe(false);
});
