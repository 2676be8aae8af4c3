import { describe, expect, it } from "vitest";
import { listWatched } from "@/lib/services/watchlist/list-watched";
import { setWatched } from "@/lib/services/watchlist/set-watched";
import { useFreshDatabase } from "@/tests/support/database";
import { freshMarket, useTestClock } from "@/tests/support/exchange";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
useTestClock();

describe("a watchlist", () => {
  it("holds what was put on it, once, however often that is repeated", async () => {
    const { userId, principal } = await makeUser();
    const [a, b] = [freshMarket().id, freshMarket().id];
    await setWatched(principal, [a, b], true);
    await setWatched(principal, [a], true);
    expect([...(await listWatched(userId))].toSorted()).toEqual([a, b].toSorted());
  });

  it("loses what is taken off it, and taking off what is not on it changes nothing", async () => {
    const { userId, principal } = await makeUser();
    const [a, b] = [freshMarket().id, freshMarket().id];
    await setWatched(principal, [a], true);
    await setWatched(principal, [a, b], false);
    await setWatched(principal, [a], false);
    expect((await listWatched(userId)).size).toBe(0);
  });

  it("is each user's own", async () => {
    const [ann, bob] = [await makeUser(), await makeUser()];
    const { id } = freshMarket();
    await setWatched(ann.principal, [id], true);
    await setWatched(bob.principal, [id], false);
    expect([...(await listWatched(ann.userId))]).toEqual([id]);
    expect((await listWatched(bob.userId)).size).toBe(0);
  });

  it("refuses a market that does not exist, and then holds none of the request", async () => {
    const { userId, principal } = await makeUser();
    const ids = [freshMarket().id, `0x${"0".repeat(64)}`];
    await expect(setWatched(principal, ids, true)).rejects.toMatchObject({
      code: "MARKET_NOT_FOUND",
    });
    expect((await listWatched(userId)).size).toBe(0);
  });

  it("refuses a request that names no market or more than any event has", async () => {
    const { userId, principal } = await makeUser();
    const many = Array.from({ length: 51 }, (_, index) => `0x${index}`);
    for (const ids of [[], many]) {
      await expect(setWatched(principal, ids, true)).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
      });
    }
    expect((await listWatched(userId)).size).toBe(0);
  });
});
