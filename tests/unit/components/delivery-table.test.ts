import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { DeliveryTable, type DeliveryWire } from "@/components/developers/delivery-table";

const AT = "2026-11-26T12:00:00.000Z";
const SENT = {
  id: "whd_1",
  seq: 21,
  type: "order.canceled",
  status: "pending",
  attemptCount: 1,
  nextAttemptAt: AT,
  createdAt: AT,
  attempts: [{ at: AT, statusCode: 500, durationMs: 3, answer: "", error: null }],
} as unknown as DeliveryWire;
const ALONE = { isActive: true, first: null };
const UNSENT = { ...SENT, id: "whd_2", seq: 22, attemptCount: 0, attempts: [] };

it("a delivery's card has the last response, and no line for it before the first attempt", () => {
  const [, sent = "", unsent = ""] = renderToStaticMarkup(
    createElement(DeliveryTable, {
      webhookId: "wh_1",
      deliveries: [SENT, UNSENT],
      queue: ALONE,
    }),
  ).split("<li");
  expect(sent).toContain("Status 500");
  expect(unsent).toContain("0 attempts");
  expect(unsent).not.toContain("–");
});

const showNextAttempts = (queue: Parameters<typeof DeliveryTable>[0]["queue"]) =>
  renderToStaticMarkup(
    createElement(DeliveryTable, { webhookId: "wh_1", deliveries: [UNSENT, SENT], queue }),
  )
    .split("<li")
    .slice(1)
    .map((card) => card.replaceAll(/<\/?a[^>]*>/g, ""))
    .map((card) => /Waits [^<]*|Next attempt: <time[^>]*>[^<]*/.exec(card)?.[0]);

it("a pending delivery names the event that it waits for, or the second of its next attempt", () => {
  const inOrder = { isActive: true, first: { id: SENT.id, seq: 21, nextAttemptAt: AT } };
  const [unsent, sent] = showNextAttempts(inOrder);
  expect(unsent).toBe("Waits for event 21");
  expect(sent).toMatch(/^Next attempt: .*>26 Nov 2026, \d\d:00:00$/);
  expect(showNextAttempts(ALONE).join()).not.toContain("Waits");
  expect(showNextAttempts({ ...inOrder, isActive: false })).toEqual([
    "Waits until the endpoint is active",
    "Waits until the endpoint is active",
  ]);
});

it("a waiting delivery links to the event that it waits for", () => {
  const inOrder = { isActive: true, first: { id: SENT.id, seq: 21, nextAttemptAt: AT } };
  const html = renderToStaticMarkup(
    createElement(DeliveryTable, { webhookId: "wh_1", deliveries: [UNSENT], queue: inOrder }),
  );
  expect(html.split('href="/developers/webhooks/wh_1/deliveries/whd_1"')).toHaveLength(3);
});

it("the attempts of a delivery that was sent again are counted since then, and say so", () => {
  const again = { ...SENT, attempts: [...SENT.attempts, ...SENT.attempts] };
  const show = (delivery: DeliveryWire) =>
    renderToStaticMarkup(
      createElement(DeliveryTable, { webhookId: "wh_1", deliveries: [delivery], queue: ALONE }),
    ).split("since sent again");
  expect(show(again)).toHaveLength(3);
  expect(show(SENT)).toHaveLength(1);
});
