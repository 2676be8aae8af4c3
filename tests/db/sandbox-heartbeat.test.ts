import { describe, expect, it } from "vitest";
import { eq, sql } from "drizzle-orm";
import { getDb } from "@/lib/db/client";
import { orders } from "@/lib/db/schema/trading";
import { toUserId } from "@/lib/sandbox/accounts";
import { renewHeartbeat, sweepHeartbeats } from "@/lib/sandbox/heartbeat";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, findPriceInside, useTestClock } from "@/tests/support/exchange/orders";
import {
  makeSandboxWallet,
  openOrderIds,
  placeSigned,
  type SandboxWallet,
} from "@/tests/support/sandbox/wallet";

useFreshDatabase();
const clock = useTestClock();

interface Client extends SandboxWallet {
  orderId: string;
}

/** A fresh wallet with one resting order. */
async function makeClient(): Promise<Client> {
  const wallet = await makeSandboxWallet();
  const market = freshMarket();
  const terms = { side: "BUY", at: findPriceInside(market)(0), size: 10n } as const;
  const orderId = await placeSigned(wallet, market, terms);
  expect(await openOrderIds(wallet)).toEqual([orderId]);
  return { ...wallet, orderId };
}

const send = async ({ caller }: Client, id: string) =>
  (await renewHeartbeat(caller, JSON.stringify({ heartbeat_id: id }))).heartbeat_id;

describe("heartbeats", () => {
  it("a client that never sent a heartbeat keeps its orders", async () => {
    const client = await makeClient();
    clock.set(clock.now + 3_600_000);
    await sweepHeartbeats();
    expect(await openOrderIds(client)).toEqual([client.orderId]);
  });

  it("heartbeats keep a client's orders; silence cancels the orders of this client only", async () => {
    const [client, other] = [await makeClient(), await makeClient()];
    let id = await send(client, "");
    for (let count = 0; count < 4; count += 1) {
      clock.set(clock.now + 5_000);
      id = await send(client, id);
      await sweepHeartbeats();
    }
    expect(await openOrderIds(client)).toEqual([client.orderId]);
    clock.set(clock.now + 10_001);
    await sweepHeartbeats();
    expect(await openOrderIds(client)).toEqual([]);
    expect(await openOrderIds(other)).toEqual([other.orderId]);
    // The switch is off until the client starts again.
    expect(await send(client, "")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("a sweep that cannot cancel one client's orders continues with others, and the next sweep retries", async () => {
    const [stuck, other] = [await makeClient(), await makeClient()];
    await Promise.all([send(stuck, ""), send(other, "")]);
    const db = await getDb();
    // The order holds more than the account reserves, so the ledger refuses to release it.
    const added = 1_000_000_000_000n;
    const own = eq(orders.userId, toUserId(stuck.caller.owner));
    await db
      .update(orders)
      .set({ held: sql`${orders.held} + ${added}` })
      .where(own);
    clock.set(clock.now + 10_001);
    await sweepHeartbeats();
    expect(await openOrderIds(stuck)).toEqual([stuck.orderId]);
    expect(await openOrderIds(other)).toEqual([]);
    await db
      .update(orders)
      .set({ held: sql`${orders.held} - ${added}` })
      .where(own);
    await sweepHeartbeats();
    expect(await openOrderIds(stuck)).toEqual([]);
  });

  it("a heartbeat with a wrong id is refused with the right one and does not renew", async () => {
    const client = await makeClient();
    const id = await send(client, "");
    clock.set(clock.now + 6_000);
    await expect(send(client, "wrong")).rejects.toMatchObject({
      status: 400,
      extra: { heartbeat_id: id },
    });
    await expect(send(client, "")).rejects.toMatchObject({ extra: { heartbeat_id: id } });
    clock.set(clock.now + 6_000);
    await sweepHeartbeats();
    expect(await openOrderIds(client)).toEqual([]);
  });
});
