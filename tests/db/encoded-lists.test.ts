import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { encodeOpenOrders, listOpenOrders } from "@/lib/orders/list-open-orders";
import { encodePortfolio } from "@/lib/portfolio/encode-portfolio";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { Portfolio } from "@/lib/schemas/account";
import { EncodedList, successBody } from "@/lib/schemas/envelope";
import { OpenOrders } from "@/lib/schemas/orders";
import { place } from "@/tests/support/api/client";
import { loadMarkets, orderFor, useExchange } from "@/tests/support/api/exchange";
import { makeUser, type TestUser } from "@/tests/support/users";

// A changed position without a trade, which the audit would report.
useExchange({ isAudited: false });

const toText = (list: EncodedList) => new TextDecoder().decode(list.toBody());

/** Checks that the encoded portfolio is the portfolio, byte by byte. */
async function encodeChecked({ principal }: TestUser): Promise<EncodedList> {
  const list = await encodePortfolio(principal);
  expect(toText(list)).toBe(successBody(Portfolio, await getPortfolio(principal)));
  return list;
}

async function makeHolder(): Promise<{ user: TestUser; tokenId: string }> {
  const user = await makeUser();
  const { free, fine } = await loadMarkets(user.apiKey);
  for (const market of [free, fine]) {
    await place(user.apiKey, orderFor(market, { orderType: "market", amount: 2 }));
  }
  return { user, tokenId: free.outcomes[0].tokenId };
}

it.each([0, 1, 2, 3])("a list of %i items has the body of the same data", (count) => {
  const orders = Array.from({ length: count }, (_, index) => ({ title: `É „${index}“ 🎲` }));
  const items = orders.map((order) => Buffer.from(JSON.stringify(order)));
  const list = new EncodedList('{"orders":[', items, '],"nextCursor":null}');
  expect(JSON.parse(toText(list))).toEqual({ ok: true, data: { orders, nextCursor: null } });
});

it("positions that show the same are not encoded again", async () => {
  const { user } = await makeHolder();
  const first = await encodeChecked(user);
  const second = await encodeChecked(user);
  expect(first.items).toHaveLength(2);
  expect(second.items.map((item, index) => item === first.items[index])).toEqual([true, true]);
});

it.each(["shares_micro", "cost_micro"])(
  "after another process changed a position's %s, it is encoded again, and no other one",
  async (column) => {
    const { user, tokenId } = await makeHolder();
    const { positions } = await getPortfolio(user.principal);
    const first = await encodeChecked(user);
    // This process is not told, like the others when one of them trades.
    await (
      await getDb()
    ).execute(sql`update positions set ${sql.raw(`${column} = ${column} + 1000000`)}
        where user_id = ${user.userId} and token_id = ${tokenId}`);
    const second = await encodeChecked(user);
    const isSame = second.items.map((item, index) => item === first.items[index]);
    expect(isSame).toEqual(positions.map(({ id }) => id !== tokenId));
  },
);

it("an order that another process canceled is no longer listed", async () => {
  const user = await makeUser();
  const { free } = await loadMarkets(user.apiKey);
  const placed = [];
  for (let count = 0; count < 3; count += 1) {
    placed.push((await place(user.apiKey, orderFor(free))).orderId);
  }
  const read = async () => {
    const body = toText(await encodeOpenOrders(user.principal, {}));
    expect(body).toBe(successBody(OpenOrders, await listOpenOrders(user.principal, {})));
    return (JSON.parse(body) as { data: { orders: { id: string }[] } }).data.orders.map(
      ({ id }) => id,
    );
  };
  const [oldest, middle, newest] = placed;
  expect(await read()).toEqual([newest, middle, oldest]);
  await (
    await getDb()
  ).execute(sql`update orders set status = 'canceled', held_micro = 0 where id = ${middle}`);
  expect(await read()).toEqual([newest, oldest]);
});
