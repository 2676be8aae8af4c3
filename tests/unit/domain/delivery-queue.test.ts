import { expect, it } from "vitest";
import { findNextAttempt } from "@/lib/domain/delivery-queue";

const SOON = "2026-11-26T12:00:00.000Z";
const LATER = "2026-11-26T15:00:00.000Z";
const DONE = { nextAttemptAt: null };
const UNORDERED = { isActive: true, first: null };

it("deliveries in any order change at the earliest of their attempts", () => {
  const deliveries = [{ nextAttemptAt: LATER }, DONE, { nextAttemptAt: SOON }];
  expect(findNextAttempt(UNORDERED, deliveries)).toBe(SOON);
});

it("deliveries in order change when the one that they wait for is sent", () => {
  const queue = { isActive: true, first: { id: "msg_1", seq: 7, nextAttemptAt: LATER } };
  expect(findNextAttempt(queue, [{ nextAttemptAt: SOON }])).toBe(LATER);
});

it("deliveries that are done, or whose endpoint is not active, don't change", () => {
  expect(findNextAttempt(UNORDERED, [DONE])).toBe(null);
  expect(findNextAttempt({ ...UNORDERED, isActive: false }, [{ nextAttemptAt: SOON }])).toBe(null);
});
