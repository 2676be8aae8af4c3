import { beforeEach, expect, it, vi } from "vitest";
import { price, shares, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database";
import { makeLiveUser, type Order, send, useLiveVenue } from "@/tests/support/live";
import { compare } from "@/tests/support/live-truth";

/** What the official client is to make of an order; it itself never disagrees. */
const client = vi.hoisted(() => ({ off: { maker: 0n, taker: 0n } }));
vi.mock("@/lib/venue/polymarket/official-client", async (load) => {
  const real = await load<typeof import("@/lib/venue/polymarket/official-client")>();
  const clientAmounts: typeof real.clientAmounts = async (draft) => {
    const amounts = await real.clientAmounts(draft);
    const { maker, taker } = client.off;
    return amounts && { maker: amounts.maker + maker, taker: amounts.taker + taker };
  };
  return { ...real, clientAmounts };
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
  "a %s whose amounts the official client would round otherwise is neither written nor sent",
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
    expect(await compare(user)).toEqual([]);
    const posts = venue.calls.slice(before).filter(({ path }) => path === "/clob/order");
    expect(posts).toEqual([]);
    client.off = { maker: 0n, taker: 0n };
    expect(await send(user, order, "key")).toMatchObject({ status: 200 });
  },
);
