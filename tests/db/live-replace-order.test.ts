import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { selectOrders } from "@/lib/db/queries/orders";
import type { ReplaceResult } from "@/lib/domain/order-replacement";
import { getOrder } from "@/lib/orders/get-order";
import { getReplacement, replaceOrder } from "@/lib/orders/replace-order";
import { price, type Price, type Shares, shares } from "@/lib/units";
import {
  compareOrders,
  findDisagreements,
  reconcileUntilSettled,
} from "@/tests/support/live/compare-with-venue";
import { DELIVERED, failRequests, NOT_DELIVERED } from "@/tests/support/live/faults";
import {
  type LiveUser,
  makeLiveUser,
  RESTING,
  send,
  useLiveVenue,
} from "@/tests/support/live/venue";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";

const venue = await useLiveVenue();
useFreshDatabase();

const heal = () => {
  venue.fault = () => null;
};
afterEach(heal);

interface Terms {
  key: string;
  price: Price;
  shares: Shares;
}
const newTerms = (): Terms => ({
  key: `ui-${randomUUID()}`,
  price: price(20_000n),
  shares: shares(15_000_000n),
});

async function restOrder(): Promise<{ user: LiveUser; orderId: string }> {
  const user = await makeLiveUser();
  const { orderId } = await send(user, RESTING, "first");
  if (orderId === null) throw new Error("the order was accepted");
  return { user, orderId };
}

const replace = ({ user, orderId }: { user: LiveUser; orderId: string }, terms: Terms) =>
  replaceOrder(user.live, { orderId, ...terms });

async function countOpen({ live }: LiveUser): Promise<number> {
  const open = { account: live, statuses: ["open", "submitting", "unknown"] } as const;
  return (await selectOrders(await getDb(), open, null, 100)).length;
}

/** Repeats a replacement until its outcome is known. */
async function finish(made: { user: LiveUser; orderId: string }, terms: Terms) {
  let result: ReplaceResult = await replace(made, terms);
  for (let tries = 0; tries < 20; tries += 1) {
    if (!["cancel_unknown", "unplaced", "placement_unknown"].includes(result.outcome)) break;
    await reconcileUntilSettled(made.user);
    result = await replace(made, terms);
  }
  return result;
}

describe("the replacement of a live order", () => {
  it("cancels it at the venue, then places the new one", async () => {
    const made = await restOrder();
    const terms = newTerms();
    const result = await replace(made, terms);
    expect(result).toMatchObject({ outcome: "placed", status: "open" });
    expect(await replace(made, terms)).toEqual(result);
    expect(await getOrder(made.user.live, made.orderId)).toMatchObject({ status: "canceled" });
    expect((await compareOrders(made.user)).map((order) => order.venue?.status)).toEqual(
      expect.arrayContaining(["canceled", "open"]),
    );
    expect(await countOpen(made.user)).toBe(1);
    expect(await findDisagreements(made.user)).toEqual([]);
  });

  it("is refused while another cancel or replacement of the order is on its way", async () => {
    const made = await restOrder();
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () => replace(made, newTerms())),
    );
    const placed = results.filter(
      (one) => one.status === "fulfilled" && one.value.outcome === "placed",
    );
    expect(placed).toHaveLength(1);
    expect(await countOpen(made.user)).toBe(1);
  });

  it.each(Object.entries(NOT_DELIVERED))(
    "places nothing while the cancel is not confirmed, when %s",
    async (_, fault) => {
      const made = await restOrder();
      const terms = newTerms();
      failRequests(venue, "DELETE", "/clob/order", fault, 1);
      expect(await replace(made, terms)).toEqual({ outcome: "cancel_unknown" });
      expect(await selectAll(made.user)).toHaveLength(1);
      expect((await getReplacement(made.user.live, made.orderId))?.result).toEqual({
        outcome: "cancel_unknown",
      });
      heal();
      expect(await finish(made, terms)).toMatchObject({ outcome: "placed", status: "open" });
      expect(await countOpen(made.user)).toBe(1);
      expect(await findDisagreements(made.user)).toEqual([]);
    },
  );

  it.each(Object.entries(DELIVERED))(
    "places at most one order when the cancel arrives and %s",
    async (_, fault) => {
      const made = await restOrder();
      const terms = newTerms();
      failRequests(venue, "DELETE", "/clob/order", fault, 1);
      await replace(made, terms);
      heal();
      expect(await finish(made, terms)).toMatchObject({ outcome: "placed", status: "open" });
      expect(await countOpen(made.user)).toBe(1);
      expect(await findDisagreements(made.user)).toEqual([]);
    },
  );

  it.each(Object.entries(DELIVERED))(
    "places at most one order when the placement arrives and %s",
    async (_, fault) => {
      const made = await restOrder();
      const terms = newTerms();
      failRequests(venue, "POST", "/clob/order", fault, 1);
      await replace(made, terms);
      heal();
      await finish(made, terms);
      await reconcileUntilSettled(made.user);
      expect(await selectAll(made.user)).toHaveLength(2);
      expect(await countOpen(made.user)).toBeLessThanOrEqual(1);
      expect(await findDisagreements(made.user)).toEqual([]);
    },
  );
});

async function selectAll({ live }: LiveUser) {
  return selectOrders(await getDb(), { account: live }, null, 100);
}
