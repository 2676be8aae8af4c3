import { describe, expect, it, onTestFinished } from "vitest";
import { setClock, setPause } from "@/lib/clock";
import { hurry } from "@/lib/services/remote-orders/reconcile";
import { useFreshDatabase } from "@/tests/support/database";
import { makeLiveUser, RESTING, send, useLiveVenue } from "@/tests/support/live";
import { compare, disagreements } from "@/tests/support/live-truth";

/** Long enough for a busy machine: time passes here only where a test lets it. */
const LONG_MS = 60_000;

const venue = await useLiveVenue({
  SUBMIT_ATTEMPT_TIMEOUT_MS: String(LONG_MS),
  SUBMIT_BUDGET_MS: String(LONG_MS),
  IN_PROGRESS_WAIT_MS: String(LONG_MS),
  ABANDON_AFTER_MS: String(LONG_MS),
});
useFreshDatabase();

it("while one request posts an order, others with its key wait for its answer and post nothing", async () => {
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
  // Each has looked, and waits before it looks again.
  await expect.poll(() => waits, { timeout: 30_000 }).toBeGreaterThan(12);
  expect(posts).toBe(1);
  release();
  const outcomes = await Promise.all([first, ...others]);
  expect(new Set(outcomes.map(({ orderId }) => orderId)).size).toBe(1);
  for (const { status } of outcomes) expect(status).toBe(200);
  expect(posts).toBe(1);
  expect(await compare(user)).toHaveLength(1);
  expect(await disagreements(user)).toEqual([]);
});

describe("an order that never arrived", () => {
  /** Sends it while nothing can be looked up, and tells what each later look comes to. */
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
        // Its sender's time is over with the first attempt.
        state.aheadMs += LONG_MS;
        return drop();
      };
    };
    expect((await send(user, RESTING, "key")).status).toBe(502);
    state.isBlind = false;
    const look = async () => {
      await hurry(user.userId);
      const [found] = await compare(user);
      return { cancels: state.cancels, status: found?.ours?.status };
    };
    return { user, state, look };
  }
  const WAITING = { cancels: 0, status: "unknown" };
  const GIVEN_UP = { cancels: 1, status: "abandoned" };

  it("is given up when its time is over, however often nobody saw it before", async () => {
    const { user, state, look } = await lost();
    for (const _ of [1, 2, 3, 4, 5]) expect(await look()).toEqual(WAITING);
    state.aheadMs += LONG_MS;
    expect(await look()).toEqual(GIVEN_UP);
    expect(await disagreements(user)).toEqual([]);
  });

  it("is given up at the third look, however much time is over", async () => {
    const { user, state, look } = await lost();
    state.aheadMs += 10 * LONG_MS;
    for (const _ of [1, 2]) expect(await look()).toEqual(WAITING);
    expect(await look()).toEqual(GIVEN_UP);
    expect(await disagreements(user)).toEqual([]);
  });
});
