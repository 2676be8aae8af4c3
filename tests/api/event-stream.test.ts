import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { revokeKey } from "@/lib/auth/manage-keys";
import { deposit } from "@/lib/accounts/deposit";
import { resetAccount } from "@/lib/accounts/reset-account";
import { endStreams } from "@/lib/open-streams";
import { usdc } from "@/lib/units";
import { callApi } from "@/tests/support/api/call-api";
import { place, read } from "@/tests/support/api/client";
import { loadMarkets, orderFor, type TestMarket, useExchange } from "@/tests/support/api/exchange";
import { EventList } from "@/lib/schemas/events";
import { openStream } from "@/tests/support/events/event-stream";
import { Random } from "@/tests/support/random";
import { makeUser, type TestUser } from "@/tests/support/users";

useExchange();

const CENT = usdc(10_000n);
let market: TestMarket;
let user: TestUser;

beforeAll(async () => {
  market = (await loadMarkets((await makeUser()).apiKey)).free;
});
beforeEach(async () => {
  user = await makeUser();
});

const readLog = (after = 0) => read(EventList, `/v1/events?limit=1000&after=${after}`, user.apiKey);
const readHead = async () => (await read(EventList, "/v1/events?limit=1", user.apiKey)).lastSeq;
const upTo = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index + 1);

describe("GET /v1/events/stream", () => {
  it("without a cursor starts with the head, and then sends what happens", async () => {
    const head = await readHead();
    const stream = await openStream(user.apiKey);
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(await stream.next()).toMatchObject({ comment: `head ${head}` });
    await deposit(user.userId, CENT);
    const [created, changed] = await stream.take(2);
    expect(created).toMatchObject({ id: head + 1, event: "deposit.created" });
    expect(changed).toMatchObject({ id: head + 2, event: "balance.changed" });
    await stream.close();
  });

  it("sends each event as GET /v1/events gives it", async () => {
    await place(user.apiKey, orderFor(market));
    await place(user.apiKey, orderFor(market, { orderType: "market" }));
    const { body } = await callApi("GET", "/v1/events?limit=1000", { key: user.apiKey });
    const { events } = body.data as unknown as { events: { seq: number; type: string }[] };
    const stream = await openStream(user.apiKey, "?after=0");
    const sent = await stream.take(events.length);
    expect(sent.map(({ data }) => data)).toEqual(events);
    expect(sent.map(({ id, event }) => [id, event])).toEqual(
      events.map(({ seq, type }) => [seq, type]),
    );
    await stream.close();
  });

  it("replays after the header's id, which goes before the query's", async () => {
    await place(user.apiKey, orderFor(market));
    const head = await readHead();
    const stream = await openStream(user.apiKey, "?after=1", { "last-event-id": String(head - 2) });
    expect((await stream.take(2)).map(({ id }) => id)).toEqual([head - 1, head]);
    await stream.close();
  });

  it("sends only the types that are asked for, each with the number sent before it", async () => {
    const head = await readHead();
    const stream = await openStream(user.apiKey, `?after=${head}&types=deposit.created`);
    await deposit(user.userId, CENT);
    await deposit(user.userId, CENT);
    const sent = await stream.take(2);
    expect(sent.map(({ id, data }) => [id, (data as { previousSeq: number }).previousSeq])).toEqual(
      [
        [head + 1, head],
        [head + 3, head + 1],
      ],
    );
    await stream.close();
  });

  it("has no gap and no repeat at 120 random cursors beside writers", async () => {
    const random = new Random(7);
    const work = { isOver: false };
    const write = async () => {
      while (!work.isOver) await deposit(user.userId, CENT);
    };
    const writers = [write(), write()];
    for (let round = 0; round < 120; round += 1) {
      const cursor = random.integer(1, await readHead());
      const stream = await openStream(user.apiKey, `?after=${cursor}`);
      const sent = await stream.take(12);
      await stream.close();
      expect(sent.map(({ id }) => id)).toEqual(upTo(cursor, cursor + 12));
    }
    work.isOver = true;
    await Promise.all(writers);
  });

  it("goes on after a reset with the events of the new epoch", async () => {
    const stream = await openStream(user.apiKey);
    await resetAccount(user.principal, usdc(5_000_000n));
    const sent = await stream.take(3);
    expect(sent.map(({ event }) => event)).toEqual([
      "account.reset",
      "deposit.created",
      "balance.changed",
    ]);
    expect(sent.map(({ data }) => (data as { epoch: number }).epoch)).toEqual([1, 2, 2]);
    await stream.close();
  });

  it("of one account says nothing of another's events", async () => {
    const other = await makeUser();
    const stream = await openStream(user.apiKey);
    await deposit(other.userId, CENT);
    await deposit(user.userId, CENT);
    const [first] = await stream.take(1);
    expect(first).toMatchObject({
      event: "deposit.created",
      id: await readHead().then((n) => n - 1),
    });
    await stream.close();
  });
});

describe("the end of a stream", () => {
  it("is told with its reason when the server stops", async () => {
    const stream = await openStream(user.apiKey);
    expect((await stream.next())?.comment).toMatch(/^head \d+$/);
    endStreams();
    expect(await stream.next()).toMatchObject({ event: "end", data: { reason: "shutdown" } });
    expect(await stream.next()).toBeNull();
  });

  it("is told when its key is revoked, and other keys' streams go on", async () => {
    const other = await makeUser();
    const [stream, untouched] = [await openStream(user.apiKey), await openStream(other.apiKey)];
    await revokeKey(user.userId, user.principal.keyId ?? "");
    const sent = await stream.take(10);
    expect(sent.map(({ event }) => event)).toEqual(["key.revoked", "end"]);
    expect(sent[1]?.data).toMatchObject({ reason: "key_revoked" });
    await deposit(other.userId, CENT);
    expect(await untouched.nextEvent()).toMatchObject({ event: "deposit.created" });
    await untouched.close();
  });
});

describe("400: a cursor", () => {
  it.each([
    ["beyond the head", (head: number) => head + 1],
    ["far beyond the head", () => Number.MAX_SAFE_INTEGER],
  ])("%s is refused, by the list and by the stream", async (_name, of) => {
    const head = await readHead();
    for (const path of ["/v1/events", "/v1/events/stream"]) {
      const { status, body } = await callApi("GET", `${path}?after=${of(head)}`, {
        key: user.apiKey,
      });
      expect([status, body.error?.code]).toEqual([400, "INVALID_CURSOR"]);
    }
    expect(await readHead()).toBe(head);
  });

  it("of an ended epoch is refused with the number to go on with", async () => {
    await resetAccount(user.principal, usdc(5_000_000n));
    const end = (await readLog()).events[0]?.previousSeq ?? 0;
    for (const path of ["/v1/events", "/v1/events/stream"]) {
      const { status, body } = await callApi("GET", `${path}?after=1`, { key: user.apiKey });
      expect([status, body.error?.code]).toEqual([400, "INVALID_CURSOR"]);
      expect(body.error?.message).toContain(`after=${end}`);
    }
    const former = await read(EventList, "/v1/events?epoch=1&limit=1000", user.apiKey);
    expect(former.events.map(({ seq }) => seq)).toEqual(upTo(0, end));
    expect(former.events.at(-1)?.type).toBe("account.reset");
  });

  it.each(["-1", "1.5", "x", "01"])("of %s is no number of an event", async (cursor) => {
    const listed = await callApi("GET", `/v1/events?after=${cursor}`, { key: user.apiKey });
    expect([listed.status, listed.body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    const { status, body } = await callApi("GET", "/v1/events/stream", {
      key: user.apiKey,
      headers: { "last-event-id": cursor },
    });
    expect([status, body.error?.code]).toEqual([400, "INVALID_CURSOR"]);
  });
});

describe("GET /v1/events?waitSeconds=", () => {
  it("answers as soon as there is an event", async () => {
    const head = await readHead();
    const waiting = read(EventList, `/v1/events?after=${head}&waitSeconds=30`, user.apiKey);
    await deposit(user.userId, CENT);
    const { events, lastSeq } = await waiting;
    expect(events.map(({ seq }) => seq)).toEqual([head + 1, head + 2]);
    expect(lastSeq).toBe(head + 2);
  });

  it("waits for an event of the wanted types", async () => {
    const head = await readHead();
    const path = `/v1/events?after=${head}&types=order.received&waitSeconds=30`;
    const waiting = read(EventList, path, user.apiKey);
    await deposit(user.userId, CENT);
    await place(user.apiKey, orderFor(market));
    expect((await waiting).events.map(({ seq, type }) => [seq, type])).toEqual([
      [head + 3, "order.received"],
    ]);
  });

  it("answers without events after the wait", async () => {
    const head = await readHead();
    const { events, lastSeq } = await read(
      EventList,
      `/v1/events?after=${head}&waitSeconds=1`,
      user.apiKey,
    );
    expect([events, lastSeq]).toEqual([[], head]);
  });

  it("answers at once when the server stops", async () => {
    const head = await readHead();
    const waiting = read(EventList, `/v1/events?after=${head}&waitSeconds=30`, user.apiKey);
    let isAnswered = false;
    const answer = waiting.finally(() => (isAnswered = true));
    await expect.poll(() => (endStreams(), isAnswered)).toBe(true);
    expect((await answer).events).toEqual([]);
  });
});
