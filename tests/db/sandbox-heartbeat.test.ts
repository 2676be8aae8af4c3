import { describe, expect, it } from "vitest";
import { eq, sql } from "drizzle-orm";
import { getDb } from "@/lib/db/client";
import { orders } from "@/lib/db/schema/trading";
import { userIdOf } from "@/lib/sandbox/accounts";
import { beat, sweepHeartbeats } from "@/lib/sandbox/heartbeat";
import { useFreshDatabase } from "@/tests/support/database";
import { freshMarket, insideOf, useTestClock } from "@/tests/support/exchange";
import {
  makeSandboxWallet,
  openOrderIds,
  placeSigned,
  type SandboxWallet,
} from "@/tests/support/sandbox-wallet";

useFreshDatabase();
const clock = useTestClock();

interface Client extends SandboxWallet {
  orderId: string;
}

/** A fresh wallet with one resting order. */
async function makeClient(): Promise<Client> {
  const wallet = await makeSandboxWallet();
  const market = freshMarket();
  const terms = { side: "BUY", at: insideOf(market)(0), size: 10n } as const;
  const orderId = await placeSigned(wallet, market, terms);
  expect(await openOrderIds(wallet)).toEqual([orderId]);
  return { ...wallet, orderId };
}

const send = async ({ caller }: Client, id: string) =>
  (await beat(caller, JSON.stringify({ heartbeat_id: id }))).heartbeat_id;

describe("heartbeats", () => {
  it("a client that never began is left alone, however silent it is", async () => {
    const client = await makeClient();
    clock.set(clock.now + 3_600_000);
    await sweepHeartbeats();
    expect(await openOrderIds(client)).toEqual([client.orderId]);
  });

  it("a client that goes on beating keeps its orders; silence cancels them, of this client alone", async () => {
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
    // The switch is off until it is begun again.
    expect(await send(client, "")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("a sweep that cannot cancel leaves the switch on, goes on with others, and is done by the next", async () => {
    const [stuck, other] = [await makeClient(), await makeClient()];
    await Promise.all([send(stuck, ""), send(other, "")]);
    const db = await getDb();
    // More is held for the order than the account reserves: the books refuse to give it back.
    const added = 1_000_000_000_000n;
    const own = eq(orders.userId, userIdOf(stuck.caller.owner));
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

  it("a beat that names another than the last is refused with the right one, and counts for nothing", async () => {
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
