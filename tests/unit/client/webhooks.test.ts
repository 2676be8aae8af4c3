import { signWebhook, verifyWebhook } from "@ante/client";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSecret, signMessage } from "@/lib/webhooks/sign";

const NOW = new Date("2026-11-26T12:00:00.000Z");
const BODY = '{"type":"fill.created","seq":7,"data":{"fill":{"price":0.1}}}';
const MESSAGE = { id: "msg_1", timestamp: NOW, body: BODY };
const secret = createSecret();

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const refusal = { code: "INVALID_SIGNATURE" };

describe("verifyWebhook", () => {
  it("accepts what the service signs, with decimals as text", async () => {
    const headers = signMessage(MESSAGE, [secret]);
    await expect(verifyWebhook({ body: BODY, headers, secret })).resolves.toEqual({
      id: "msg_1",
      event: { type: "fill.created", seq: 7, data: { fill: { price: "0.1" } } },
    });
    const given = new Headers(headers);
    await expect(verifyWebhook({ body: BODY, headers: given, secret })).resolves.toBeTruthy();
  });

  it("accepts both secrets during a rotation", async () => {
    const next = createSecret();
    const headers = signMessage(MESSAGE, [next, secret]);
    await expect(verifyWebhook({ body: BODY, headers, secret })).resolves.toBeTruthy();
    await expect(verifyWebhook({ body: BODY, headers, secret: next })).resolves.toBeTruthy();
  });

  it("refuses another body, id, time or secret", async () => {
    const headers = signMessage(MESSAGE, [secret]);
    const wrong = [
      { body: `${BODY} `, headers, secret },
      { body: BODY, headers: { ...headers, "webhook-id": "msg_2" }, secret },
      { body: BODY, headers: { ...headers, "webhook-timestamp": "1795694401" }, secret },
      { body: BODY, headers, secret: createSecret() },
      { body: BODY, headers: { ...headers, "webhook-signature": "v1,AAAA v2,x garbage" }, secret },
      { body: BODY, headers: {}, secret },
    ];
    for (const received of wrong)
      await expect(verifyWebhook(received)).rejects.toMatchObject(refusal);
  });

  it("refuses a message that is older or newer than the tolerance", async () => {
    const headers = signMessage(MESSAGE, [secret]);
    vi.setSystemTime(NOW.getTime() + 301_000);
    await expect(verifyWebhook({ body: BODY, headers, secret })).rejects.toMatchObject(refusal);
    vi.setSystemTime(NOW.getTime() - 301_000);
    await expect(verifyWebhook({ body: BODY, headers, secret })).rejects.toMatchObject(refusal);
  });
});

it("signWebhook signs as other libraries of Standard Webhooks verify", async () => {
  const headers = await signWebhook(MESSAGE, secret);
  expect(new Webhook(secret).verify(BODY, headers)).toMatchObject({ seq: 7 });
});
