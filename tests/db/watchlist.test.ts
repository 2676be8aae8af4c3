import { describe, expect, it } from "vitest";
import { listWatched, setWatched } from "@/lib/markets/watchlist";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, useTestClock } from "@/tests/support/exchange/orders";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
useTestClock();

describe("a watchlist", () => {
  it("contains an added market once, also after repeats", async () => {
    const { userId, principal } = await makeUser();
    const [a, b] = [freshMarket().id, freshMarket().id];
    await setWatched(principal, [a, b], true);
    await setWatched(principal, [a], true);
    expect([...(await listWatched(userId))].toSorted()).toEqual([a, b].toSorted());
  });

  it("removes a market, and ignores markets that aren't on it", async () => {
    const { userId, principal } = await makeUser();
    const [a, b] = [freshMarket().id, freshMarket().id];
    await setWatched(principal, [a], true);
    await setWatched(principal, [a, b], false);
    await setWatched(principal, [a], false);
    expect((await listWatched(userId)).size).toBe(0);
  });

  it("doesn't affect other users' watchlists", async () => {
    const [ann, bob] = [await makeUser(), await makeUser()];
    const { id } = freshMarket();
    await setWatched(ann.principal, [id], true);
    await setWatched(bob.principal, [id], false);
    expect([...(await listWatched(ann.userId))]).toEqual([id]);
    expect((await listWatched(bob.userId)).size).toBe(0);
  });

  it("rejects a request with an unknown market, and adds none of it", async () => {
    const { userId, principal } = await makeUser();
    const ids = [freshMarket().id, `0x${"0".repeat(64)}`];
    await expect(setWatched(principal, ids, true)).rejects.toMatchObject({
      code: "MARKET_NOT_FOUND",
    });
    expect((await listWatched(userId)).size).toBe(0);
  });

  it("rejects a request without markets or with too many", async () => {
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
