import { describe, expect, it, onTestFinished } from "vitest";
import { setClock, setPause } from "@/lib/clock";
import { reconcileNow } from "@/lib/orders/live/reconcile-leases";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeLiveUser, RESTING, send, useLiveVenue } from "@/tests/support/live/venue";
import { compareOrders, findDisagreements } from "@/tests/support/live/compare-with-venue";

/** Long enough for a busy machine. The clock moves only when a test advances it. */
const LONG_MS = 60_000;

const venue = await useLiveVenue({
  SUBMIT_ATTEMPT_TIMEOUT_MS: String(LONG_MS),
  SUBMIT_BUDGET_MS: String(LONG_MS),
  IN_PROGRESS_WAIT_MS: String(LONG_MS),
  ABANDON_AFTER_MS: String(LONG_MS),
});
useFreshDatabase();

it("requests with the key of an order that is being posted wait for its response and post nothing", async () => {
  const user = await makeLiveUser();
  let posts = 0;
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  venue.fault = ({ method, path }) => {
    if (method !== "POST" || path !== "/clob/order") return null;
    return async (handle, { send: answer }) => {
      posts += 1;
      await isReleased;
      await answer(await handle());
    };
  };
  let waits = 0;
  const restore = setPause((ms) => {
    waits += 1;
    return new Promise((resolve) => setTimeout(resolve, ms));
  });
  onTestFinished(restore);
  const first = send(user, RESTING, "key");
  await expect.poll(() => posts, { timeout: 30_000 }).toBe(1);
  const others = Array.from({ length: 4 }, () => send(user, RESTING, "key"));
  // Each process has polled and waits for its next poll.
  await expect.poll(() => waits, { timeout: 30_000 }).toBeGreaterThan(12);
  expect(posts).toBe(1);
  release();
  const outcomes = await Promise.all([first, ...others]);
  expect(new Set(outcomes.map(({ orderId }) => orderId)).size).toBe(1);
  for (const { status } of outcomes) expect(status).toBe(200);
  expect(posts).toBe(1);
  expect(await compareOrders(user)).toHaveLength(1);
  expect(await findDisagreements(user)).toEqual([]);
});

describe("an order that never arrived", () => {
  /** Sends an order while no query succeeds, and returns a function that polls once. */
  async function lost() {
    const user = await makeLiveUser();
    const state = { aheadMs: 0, cancels: 0, isBlind: true };
    onTestFinished(setClock(() => Date.now() + state.aheadMs));
    venue.fault = ({ method, path }) => {
      if (path.startsWith("/clob/data/"))
        return state.isBlind ? async (_, { drop }) => drop() : null;
      if (path !== "/clob/order") return null;
      return async (handle, { drop, send: answer }) => {
        if (method === "DELETE") {
          state.cancels += 1;
          return answer(await handle());
        }
        // The budget of its sender ends with the first attempt.
        state.aheadMs += LONG_MS;
        return drop();
      };
    };
    expect((await send(user, RESTING, "key")).status).toBe(502);
    state.isBlind = false;
    const poll = async () => {
      await reconcileNow(user.userId);
      const [found] = await compareOrders(user);
      return { cancels: state.cancels, status: found?.ours?.status };
    };
    return { user, state, poll };
  }
  const WAITING = { cancels: 0, status: "unknown" };
  const ABANDONED = { cancels: 1, status: "abandoned" };

  it("is abandoned after the wait, even after more than three polls", async () => {
    const { user, state, poll } = await lost();
    for (const _ of [1, 2, 3, 4, 5]) expect(await poll()).toEqual(WAITING);
    state.aheadMs += LONG_MS;
    expect(await poll()).toEqual(ABANDONED);
    expect(await findDisagreements(user)).toEqual([]);
  });

  it("is abandoned at the third poll, even long after the wait", async () => {
    const { user, state, poll } = await lost();
    state.aheadMs += 10 * LONG_MS;
    for (const _ of [1, 2]) expect(await poll()).toEqual(WAITING);
    expect(await poll()).toEqual(ABANDONED);
    expect(await findDisagreements(user)).toEqual([]);
  });
});
