import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { announceAccountChange } from "@/lib/browser/account-changes";
import { followOrder } from "@/lib/browser/follow-order";

const { statuses } = vi.hoisted(() => ({ statuses: [] as string[] }));
vi.mock("@/lib/browser/fetcher", () => ({
  fetchData: () => Promise.resolve({ id: "ord_1", status: statuses.shift() }),
}));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Follows an order and returns what was reported; `account` when the account was updated. */
function follow() {
  const reported: string[] = [];
  const done = followOrder(
    "ord_1",
    ({ status }) => reported.push(status),
    () => Promise.resolve(void reported.push("account")),
  );
  return { reported, done };
}

it("an order that is settled at once is reported after the account's figures are updated", async () => {
  statuses.push("filled");
  const { reported, done } = follow();
  await vi.advanceTimersByTimeAsync(0);
  await done;
  expect(reported).toEqual(["account", "filled"]);
});

it("an event of the account reads a waiting order before the next poll is due", async () => {
  statuses.push("submitting", "submitting", "open", "open");
  const { reported, done } = follow();
  // The polls at 0 and 500 ms; the next one is due a second later.
  await vi.advanceTimersByTimeAsync(500);
  expect(reported).toEqual(["submitting", "submitting"]);
  announceAccountChange();
  await vi.advanceTimersByTimeAsync(0);
  await done;
  expect(reported).toEqual(["submitting", "submitting", "account", "open"]);
});
