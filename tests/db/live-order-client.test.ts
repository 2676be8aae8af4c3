import { beforeEach, expect, it, vi } from "vitest";
import { price, shares, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeLiveUser, type Order, send, useLiveVenue } from "@/tests/support/live/venue";
import { compareOrders } from "@/tests/support/live/compare-with-venue";

/** Offset that is added to the official client's amounts. The real client always agrees. */
const client = vi.hoisted(() => ({ off: { maker: 0n, taker: 0n } }));
vi.mock("@/lib/polymarket/official-client", async (load) => {
  const real = await load<typeof import("@/lib/polymarket/official-client")>();
  const computeClientAmounts: typeof real.computeClientAmounts = async (draft) => {
    const amounts = await real.computeClientAmounts(draft);
    const { maker, taker } = client.off;
    return amounts && { maker: amounts.maker + maker, taker: amounts.taker + taker };
  };
  return { ...real, computeClientAmounts };
});

const venue = await useLiveVenue();
useFreshDatabase();
beforeEach(() => {
  client.off = { maker: 0n, taker: 0n };
});

const ORDERS: [string, Order][] = [
  [
    "limit order",
    {
      action: "BUY",
      orderType: "limit",
      price: price(50_000n),
      shares: shares(20_000_000n),
    },
  ],
  ["market order", { action: "BUY", orderType: "market", amount: usdc(5_000_000n) }],
];

it.each(ORDERS)(
  "a %s is neither recorded nor sent if the official client rounds its amounts differently",
  async (_, order) => {
    const user = await makeLiveUser();
    const before = venue.calls.length;
    for (const off of [
      { maker: 1n, taker: 0n },
      { maker: 0n, taker: -1n },
    ]) {
      client.off = off;
      const refused = { status: 400, code: "ORDER_REJECTED" };
      expect(await send(user, order, "key")).toMatchObject(refused);
    }
    expect(await compareOrders(user)).toEqual([]);
    const posts = venue.calls.slice(before).filter(({ path }) => path === "/clob/order");
    expect(posts).toEqual([]);
    client.off = { maker: 0n, taker: 0n };
    expect(await send(user, order, "key")).toMatchObject({ status: 200 });
  },
);
