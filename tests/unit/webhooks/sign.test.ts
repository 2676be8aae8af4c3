import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { computeDelay, MAX_ATTEMPTS } from "@/lib/webhooks/schedule";
import { createSecret, signMessage } from "@/lib/webhooks/sign";

const BODY = '{"type":"order.filled"}';
const sign = (...secrets: string[]) =>
  signMessage({ id: "msg_1", timestamp: new Date(), body: BODY }, secrets);

it("a secret is whsec_ with 32 bytes, and each is another one", () => {
  const secrets = Array.from({ length: 100 }, createSecret);
  for (const secret of secrets) {
    expect(Buffer.from(secret.replace(/^whsec_/, ""), "base64")).toHaveLength(32);
  }
  expect(new Set(secrets).size).toBe(100);
});

it("the standardwebhooks package verifies a signature, and no changed message", () => {
  const secret = createSecret();
  const headers = sign(secret);
  const webhook = new Webhook(secret);
  expect(webhook.verify(BODY, headers)).toEqual({ type: "order.filled" });
  expect(() => webhook.verify(BODY.replace("filled", "opened"), headers)).toThrow();
  expect(() => webhook.verify(BODY, { ...headers, "webhook-id": "msg_2" })).toThrow();
  expect(() => new Webhook(createSecret()).verify(BODY, headers)).toThrow();
});

it("during a rotation, a receiver with either secret verifies the message", () => {
  const [former, next] = [createSecret(), createSecret()];
  const headers = sign(next, former);
  expect(headers["webhook-signature"].split(" ")).toHaveLength(2);
  for (const secret of [former, next])
    expect(() => new Webhook(secret).verify(BODY, headers)).not.toThrow();
});

it("ten attempts take about three days, each pause within a tenth of its length", () => {
  expect(MAX_ATTEMPTS).toBe(10);
  const sum = (random: () => number) =>
    Array.from({ length: MAX_ATTEMPTS }, (_, failed) =>
      computeDelay(failed, { retryAfterMs: null, random }),
    ).reduce((total, pause) => total + pause, 0);
  const days = sum(() => 0.5) / 86_400_000;
  expect(days).toBeGreaterThan(3);
  expect(days).toBeLessThan(3.5);
  expect(sum(() => 0) / sum(() => 0.5)).toBeCloseTo(0.9);
  expect(sum(() => 1) / sum(() => 0.5)).toBeCloseTo(1.1);
});

it("a longer Retry-After is waited for, a shorter one is not", () => {
  const middle = () => 0.5;
  expect(computeDelay(1, { retryAfterMs: 60_000, random: middle })).toBe(60_000);
  expect(computeDelay(2, { retryAfterMs: 1_000, random: middle })).toBe(5_000);
});
