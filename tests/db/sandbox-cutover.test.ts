// Orders that meet a cutover of the sandbox, with every step at a chosen moment.
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { getDb } from "@/lib/db/client";
import { upsertSandboxSwitches } from "@/lib/db/queries/sandbox-switches";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { applySwitches } from "@/lib/sandbox/cutover";
import { readSwitches } from "@/lib/sandbox/switches";
import { price } from "@/lib/units";
import { paperExchange } from "@/lib/venues";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, useTestClock } from "@/tests/support/exchange/orders";
import { orderRow } from "@/tests/support/exchange/ledger";
import { makeSandboxWallet, openOrderIds, placeSigned } from "@/tests/support/sandbox/wallet";

useFreshDatabase();
useTestClock();

const MISMATCH = { status: 400, message: "order_version_mismatch" };
const findMarket = (wanted: "v1" | "v2") =>
  freshMarket({ where: ({ protocol }: { protocol: string }) => protocol === wanted });
let v1: PaperMarket;
let v2: PaperMarket;
beforeAll(() => {
  [v1, v2] = [findMarket("v1"), findMarket("v2")];
});
afterEach(async () => {
  vi.restoreAllMocks();
  await applySwitches({ version: 2 });
});

/** An order that rests. */
const TERMS = { side: "BUY", at: price(10_000n), size: 100n } as const;

/** Changes the version as another process does, after this process has read the switches. */
async function switchElsewhere(version: 2 | 3): Promise<void> {
  await readSwitches();
  await upsertSandboxSwitches(await getDb(), { switches: { version }, changedAt: new Date() });
}

it("an order of Protocol V1 that was being placed at a cutover doesn't rest after it", async () => {
  const trader = await makeSandboxWallet();
  const exchange = paperExchange();
  const { prepareOrder } = exchange;
  // The order has passed every check and is not stored.
  vi.spyOn(exchange, "prepareOrder").mockImplementationOnce(async (market) => {
    await applySwitches({ version: 3 });
    await prepareOrder.call(exchange, market);
  });
  const id = await placeSigned(trader, v1, TERMS);
  expect(await openOrderIds(trader)).toEqual([]);
  expect(await orderRow(id)).toMatchObject({ status: "canceled", held: 0n });
});

it("an order of Protocol V1 is refused from a cutover by another process on", async () => {
  const trader = await makeSandboxWallet();
  await switchElsewhere(3);
  await expect(placeSigned(trader, v1, TERMS)).rejects.toMatchObject(MISMATCH);
  expect(await openOrderIds(trader)).toEqual([]);
  const id = await placeSigned(trader, v2, TERMS);
  expect(await openOrderIds(trader)).toEqual([id]);
});

it("the end of a cutover by another process removes resting orders too", async () => {
  const trader = await makeSandboxWallet();
  await switchElsewhere(3);
  const id = await placeSigned(trader, v2, TERMS);
  await applySwitches({ version: 2 });
  expect(await openOrderIds(trader)).toEqual([]);
  expect(await orderRow(id)).toMatchObject({ status: "canceled", held: 0n });
});
