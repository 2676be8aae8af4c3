import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import {
  DeliveryList,
  Replay,
  Webhook,
  WebhookDeleted,
  WebhookList,
  WebhookTest,
  WebhookWithSecret,
} from "@/lib/schemas/webhooks";
import { TRADING_SCOPES } from "@/lib/auth/principal";
import { usdc } from "@/lib/units";
import { deposit } from "@/lib/accounts/deposit";
import { getDb } from "@/lib/db/client";
import { webhookEndpoints } from "@/lib/db/schema/webhooks";
import { deliverDue } from "@/lib/webhooks/deliver";
import { getLastTest } from "@/lib/webhooks/manage-webhooks";
import { callApi } from "@/tests/support/api/call-api";
import { read, readData } from "@/tests/support/api/client";
import { expectRefusal } from "@/tests/support/api/state";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeUser, type TestUser } from "@/tests/support/users";
import { allowPrivate, useReceiver, verify } from "@/tests/support/webhooks/receiver";

allowPrivate();
useFreshDatabase();
const receiver = useReceiver();
const AMOUNT = usdc(1_000_000_000n);

let user: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  [user, stranger] = [await makeUser(), await makeUser()];
});
beforeEach(async () => {
  await (await getDb()).delete(webhookEndpoints);
  receiver.received.length = 0;
  receiver.respond = () => ({ status: 200 });
});

async function create(body: object = {}): Promise<z.output<typeof WebhookWithSecret>> {
  const given = { key: user.apiKey, body: { url: receiver.url, ...body } };
  return readData(WebhookWithSecret, await callApi("POST", "/v1/webhooks", given));
}

const patch = (id: string, body: object, key = user.apiKey) =>
  callApi("PATCH", `/v1/webhooks/${id}`, { key, body });
const post = (path: string, key = user.apiKey) => callApi("POST", `/v1/webhooks/${path}`, { key });

describe("POST /v1/webhooks", () => {
  it("creates an endpoint that is active once it acknowledged a signed test message", async () => {
    const { secret, ...webhook } = await create({ types: ["fill.created"], ordered: false });
    expect(webhook).toMatchObject({ status: "active", types: ["fill.created"], ordered: false });
    const [test] = receiver.received;
    if (!test) throw new Error("a test message arrives");
    verify(test, secret);
    expect(JSON.parse(test.body)).toMatchObject({
      type: "endpoint.test",
      data: { webhookId: webhook.id },
    });
    expect(await read(Webhook, `/v1/webhooks/${webhook.id}`, user.apiKey)).toEqual(webhook);
    expect(await read(WebhookList, "/v1/webhooks", user.apiKey)).toEqual({ webhooks: [webhook] });
  });

  it("an endpoint that does not acknowledge is pending and gets no events", async () => {
    receiver.respond = () => ({ status: 500 });
    const { status } = await create();
    expect(status).toBe("pending");
    await deposit(user.userId, AMOUNT);
    await deliverDue(60_000);
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    ["no url", {}],
    ["another protocol", { url: "ftp://example.com/" }],
    ["text", { url: "here" }],
    ["an unknown type", { url: "https://example.com/", types: ["order.eaten"] }],
    ["no types", { url: "https://example.com/", types: [] }],
    ["an order as text", { url: "https://example.com/", ordered: "yes" }],
  ])("%s is refused", async (_name, body) => {
    await expectRefusal({ code: "VALIDATION_ERROR" }, () =>
      callApi("POST", "/v1/webhooks", { key: user.apiKey, body }),
    );
  });

  it("the eleventh endpoint is refused", async () => {
    for (let made = 0; made < 10; made += 1) await create();
    await expectRefusal({ code: "VALIDATION_ERROR", message: "at most 10" }, () =>
      callApi("POST", "/v1/webhooks", { key: user.apiKey, body: { url: receiver.url } }),
    );
  });
});

describe("PATCH /v1/webhooks/{webhookId}", () => {
  it("changes types and order without a test", async () => {
    const { id } = await create();
    const changed = readData(Webhook, await patch(id, { types: ["fill.created"], ordered: false }));
    expect(changed).toMatchObject({ types: ["fill.created"], ordered: false, status: "active" });
    expect(receiver.received).toHaveLength(1);
  });

  it("a new url is pending until it acknowledges a test message", async () => {
    const { id } = await create();
    receiver.respond = () => ({ status: 404 });
    const url = `${receiver.url}/new`;
    expect(readData(Webhook, await patch(id, { url }))).toMatchObject({ url, status: "pending" });
    receiver.respond = () => ({ status: 200 });
    const tested = readData(WebhookTest, await post(`${id}/test`));
    expect(tested).toMatchObject({ acknowledged: true, webhook: { status: "active" } });
  });

  it("keeps how the address responded to its last test message, and a new address has none", async () => {
    const readLast = (id: string) => getLastTest(user.principal, id);
    const { id, updatedAt } = await create();
    expect(await readLast(id)).toMatchObject({ statusCode: 200, error: null });
    receiver.respond = () => ({ status: 503 });
    const { attempt } = readData(WebhookTest, await post(`${id}/test`));
    const { answer: _, ...outcome } = attempt;
    expect(outcome).toMatchObject({ statusCode: 503, error: null });
    expect(await readLast(id)).toEqual(outcome);
    // A test changes nothing that its owner has set.
    const { updatedAt: after } = await read(Webhook, `/v1/webhooks/${id}`, user.apiKey);
    expect(after).toEqual(updatedAt);

    await patch(id, { status: "disabled" });
    await patch(id, { url: "http://127.0.0.1:1/" });
    expect(await readLast(id)).toBeNull();
    await patch(id, { status: "active" });
    const last = await readLast(id);
    expect(last).toMatchObject({ statusCode: null, error: expect.stringMatching(/\.$/) });
    await expect(getLastTest(stranger.principal, id)).rejects.toMatchObject({
      code: "WEBHOOK_NOT_FOUND",
    });
  });

  it("disables, and activates after a test", async () => {
    const { id } = await create();
    expect(readData(Webhook, await patch(id, { status: "disabled" })).status).toBe("disabled");
    expect(receiver.received).toHaveLength(1);
    expect(readData(Webhook, await patch(id, { status: "active" })).status).toBe("active");
    expect(receiver.received).toHaveLength(2);
  });

  it.each([{ status: "pending" }, { url: "ftp://example.com/" }, { types: [] }])(
    "%j is refused",
    async (body) => {
      const { id } = await create();
      await expectRefusal({ code: "VALIDATION_ERROR" }, () => patch(id, body));
    },
  );
});

it("DELETE ends an endpoint with its deliveries", async () => {
  const { id } = await create();
  await deposit(user.userId, AMOUNT);
  await deliverDue(60_000);
  const answer = await callApi("DELETE", `/v1/webhooks/${id}`, { key: user.apiKey });
  expect(readData(WebhookDeleted, answer)).toEqual({ id });
  expect(await read(WebhookList, "/v1/webhooks", user.apiKey)).toEqual({ webhooks: [] });
});

it("rotate returns another secret, and the former one signs for a day", async () => {
  const { id, secret } = await create();
  const rotated = readData(WebhookWithSecret, await post(`${id}/rotate`));
  expect(rotated.secret).not.toBe(secret);
  expect(rotated.previousSecretEndsAt).not.toBeNull();
  await post(`${id}/test`);
  const last = receiver.received.at(-1);
  if (!last) throw new Error("a test message arrives");
  verify(last, secret);
  verify(last, rotated.secret);
});

describe("deliveries", () => {
  it("are listed newest first in pages, and can be resent and replayed", async () => {
    const { id, lastSeq } = await create();
    await deposit(user.userId, AMOUNT);
    await deliverDue(60_000);
    const path = `/v1/webhooks/${id}/deliveries`;
    const { deliveries } = await read(DeliveryList, path, user.apiKey);
    expect(deliveries.map(({ seq, status }) => [seq, status])).toEqual([
      [lastSeq + 2, "delivered"],
      [lastSeq + 1, "delivered"],
    ]);
    const first = await read(DeliveryList, `${path}?limit=1`, user.apiKey);
    const rest = await read(DeliveryList, `${path}?nextCursor=${first.nextCursor}`, user.apiKey);
    expect([...first.deliveries, ...rest.deliveries]).toEqual(deliveries);
    const before = receiver.received.length;
    await post(`${id}/deliveries/${deliveries[0]?.id}/resend`);
    await deliverDue(60_000);
    expect(receiver.received).toHaveLength(before + 1);
    const replay = readData(Replay, await post(`${id}/replay?after=${lastSeq}`));
    expect(replay).toEqual({ after: lastSeq, events: 2 });
    await deliverDue(60_000);
    expect(receiver.received).toHaveLength(before + 3);
  });

  it("a replay beyond the head is refused", async () => {
    const { id } = await create();
    await expectRefusal({ code: "INVALID_CURSOR" }, () => post(`${id}/replay?after=999999`));
  });

  it("a resend to an endpoint that is not active is refused", async () => {
    const { id } = await create();
    await deposit(user.userId, AMOUNT);
    await deliverDue(60_000);
    const list = await read(DeliveryList, `/v1/webhooks/${id}/deliveries`, user.apiKey);
    await patch(id, { status: "disabled" });
    await expectRefusal({ code: "VALIDATION_ERROR", message: "not active" }, () =>
      post(`${id}/deliveries/${list.deliveries[0]?.id}/resend`),
    );
  });

  describe("cursors", () => {
    let id = "";
    beforeEach(async () => {
      ({ id } = await create());
      await deposit(user.userId, AMOUNT);
      await deliverDue(60_000);
    });
    it("another endpoint's cursor is refused", async () => {
      const path = `/v1/webhooks/${id}/deliveries?limit=1`;
      const { nextCursor } = await read(DeliveryList, path, user.apiKey);
      const other = await create();
      await expectRefusal({ code: "INVALID_CURSOR" }, () =>
        callApi("GET", `/v1/webhooks/${other.id}/deliveries?nextCursor=${nextCursor}`, {
          key: user.apiKey,
        }),
      );
    });
  });
});

describe("an endpoint that the account does not have", () => {
  it.each([
    ["GET", ""],
    ["PATCH", ""],
    ["DELETE", ""],
    ["POST", "/rotate"],
    ["POST", "/test"],
    ["POST", "/replay"],
    ["GET", "/deliveries"],
    ["POST", "/deliveries/msg_1/resend"],
  ])("%s %s is 404 and changes nothing", async (method, path) => {
    const { id } = await create();
    const sent = receiver.received.length;
    const body = method === "PATCH" ? { body: { status: "disabled" } } : {};
    for (const [key, webhookId] of [
      [stranger.apiKey, id],
      [user.apiKey, "whk_unknown"],
    ] as const) {
      await expectRefusal({ code: "WEBHOOK_NOT_FOUND" }, () =>
        callApi(method, `/v1/webhooks/${webhookId}${path}`, { key, ...body }),
      );
    }
    expect(receiver.received).toHaveLength(sent);
  });

  it("is not listed", async () => {
    await create();
    expect(await read(WebhookList, "/v1/webhooks", stranger.apiKey)).toEqual({ webhooks: [] });
  });
});

it("a key without the scope is refused", async () => {
  const trader = await makeUser(AMOUNT, TRADING_SCOPES);
  await expectRefusal({ code: "INSUFFICIENT_SCOPE" }, () =>
    callApi("POST", "/v1/webhooks", { key: trader.apiKey, body: { url: receiver.url } }),
  );
});
