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
const UNSENT = { ...SENT, id: "whd_2", seq: 22, attemptCount: 0, attempts: [] };

it("a delivery's card has the last response, and no line for it before the first attempt", () => {
  const [, sent = "", unsent = ""] = renderToStaticMarkup(
    createElement(DeliveryTable, { webhookId: "wh_1", deliveries: [SENT, UNSENT] }),
  ).split("<li");
  expect(sent).toContain("Status 500");
  expect(unsent).toContain("0 attempts");
  expect(unsent).not.toContain("–");
});
