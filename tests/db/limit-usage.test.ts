import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { getDb, selectRows } from "@/lib/db/client";
import { readLimitedSubjects } from "@/lib/db/queries/limit-state";
import type { Limits } from "@/lib/domain/limits";
import { setLimits } from "@/lib/limits/change-limits";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { previewOrder } from "@/lib/orders/preview-order";
import { price, type Price, shares, usdc } from "@/lib/units";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { createBody, freshMarket, place, useTestClock } from "@/tests/support/exchange/orders";
import { Random, readSeed } from "@/tests/support/random";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();

/** The long run: LIMIT_CASES=10000. */
const CASES = Number(process.env["LIMIT_CASES"] ?? 150);
const CASE_MS = 600;
const CASES_PER_MARKET = 50;

const TEN = shares(10_000_000n);
const NOTHING = usdc(0n);
/** Never reached: it has the usage read. */
const UNREACHED = usdc(1_000_000_000_000n);

/** Limits that are sometimes reached by the orders below. */
function randomLimits(random: Random): Limits {
  const amount = () => usdc(BigInt(random.integer(1, 120)) * 1_000_000n);
  const limits: { -readonly [Name in keyof Limits]: Limits[Name] } = { total: UNREACHED };
  if (random.chance(0.3)) limits.perOrder = amount();
  if (random.chance(0.3)) limits.perDay = amount();
  if (random.chance(0.3)) limits.total = amount();
  if (random.chance(0.3)) limits.openExposure = amount();
  if (random.chance(0.3)) limits.perMarket = amount();
  if (random.chance(0.2)) limits.dailyLoss = amount();
  if (random.chance(0.2)) limits.maxOpenOrders = random.integer(0, 6);
  if (random.chance(0.2)) limits.ordersPerMinute = random.integer(0, 6);
  if (random.chance(0.2)) limits.maxDistanceFromMid = price(BigInt(random.integer(1, 200_000)));
  if (random.chance(0.2)) limits.approvalAbove = usdc(BigInt(random.integer(0, 20)) * 1_000_000n);
  if (random.chance(0.1)) limits.actions = ["BUY", "CANCEL"];
  return limits;
}

type Order = Parameters<typeof createBody>[0];

function randomOrder(random: Random, markets: readonly PaperMarket[]) {
  const market = random.pick(markets);
  const action = random.chance(0.65) ? "BUY" : "SELL";
  const outcome = random.chance(0.5) ? 0 : 1;
  const size = shares(BigInt(random.integer(5, 40)) * 1_000_000n);
  const inside = price(BigInt(random.integer(30, 70)) * 10_000n);
  const limit: Price = outcome === 0 ? inside : price(1_000_000n - inside);
  const base = { market, action, outcome, size } as const;
  return random.chance(0.6) ? { ...base, limit } : base;
}

/** The usage of a key, computed from its orders and fills alone. */
async function computeUsage({ userId, principal }: TestUser, keyId: string | null) {
  const ofKey = keyId === null ? sql`` : sql` and placed.key_id = ${keyId}`;
  const [row] = await selectRows<{ spent: string; reserved: string; open: number }>(
    await getDb(),
    sql`select
        (select coalesce(sum(fills.notional_micro + fills.fee_micro), 0)::text from fills
          join orders as placed on placed.id = fills.order_id
          where fills.user_id = ${userId} and fills.action = 'BUY'${ofKey}) as spent,
        (select coalesce(sum(held_micro), 0)::text from orders as placed
          where user_id = ${userId} and action = 'BUY' and status in ('open', 'pending_approval')${ofKey})
          as reserved,
        (select count(*)::integer from orders as placed
          where user_id = ${userId} and status in ('open', 'pending_approval')${ofKey}) as open`,
  );
  expect(principal.userId).toBe(userId);
  return row;
}

it(
  `${CASES} random orders under random limits: the preview says what the order then does, and the usage is the sum of the orders`,
  async () => {
    const random = new Random(readSeed());
    process.stdout.write(`limit usage: PRODUCT_SEED=${random.seed}\n`);
    const [first, second] = [await makeUser(), await makeUser()];
    const users = [first, inDashboard(first), second];
    let markets: PaperMarket[] = [];
    const open: { user: TestUser; orderId: string }[] = [];
    let refused = 0;
    let waiting = 0;
    const compare = async (user: TestUser, order: Order, index: number) => {
      const preview = await previewOrder(user.principal, createBody(order)).catch(toRefusal);
      const placed = await place(user, order).catch(toRefusal);
      const expected = "refusal" in preview ? preview.refusal : preview;
      expect({ code: expected?.code ?? null, index }).toEqual({ code: placed.code, index });
      if (placed.code === "RISK_LIMIT_EXCEEDED") {
        refused += 1;
        expect(placed.message).toBe(expected?.message);
      }
      if ("needsApproval" in preview && "status" in placed && placed.code === null) {
        expect(preview.needsApproval).toBe(placed.status === "pending_approval");
        if (preview.needsApproval) waiting += 1;
      }
      if ("orderId" in placed && (placed.status === "open" || placed.status === "pending_approval"))
        open.push({ user, ...placed });
      await expectSameUsage(user);
    };
    // One order waits and one is refused, whatever the seed.
    const { userId: owner, keyId: own } = first.principal as { userId: string; keyId: string };
    const ownKey = { scope: "key", keyId: own } as const;
    const buy = { market: freshMarket(), action: "BUY", outcome: 0, size: TEN } as const;
    for (const limits of [{ approvalAbove: NOTHING }, { perOrder: NOTHING }]) {
      await setLimits({ userId: owner, subject: ownKey, limits: { ...limits, total: UNREACHED } });
      await compare(first, buy, -1);
    }
    expect({ waiting, refused }).toEqual({ waiting: 1, refused: 1 });
    for (let index = 0; index < CASES; index += 1) {
      // Markets close while the clock advances.
      if (index % CASES_PER_MARKET === 0) markets = Array.from({ length: 3 }, () => freshMarket());
      const user = random.pick(users);
      const { userId, keyId } = user.principal as { userId: string; keyId: string | null };
      if (random.chance(0.3)) {
        const subject =
          keyId !== null && random.chance(0.5)
            ? ({ scope: "key", keyId } as const)
            : ({ scope: "account", mode: "paper" } as const);
        await setLimits({ userId, subject, limits: randomLimits(random) });
      }
      const last = open.at(-1);
      if (last && random.chance(0.2)) {
        await cancelOrder(last.user.principal, last.orderId).catch(() => null);
        open.pop();
      }
      await compare(user, randomOrder(random, markets), index);
      if (random.chance(0.1)) clock.advance(random.integer(1_000, 4_000_000));
    }
    process.stdout.write(
      `limit usage: ${refused} of ${CASES} refused by a limit, ${waiting} waited\n`,
    );
    expect(refused).toBeGreaterThan(1);
  },
  60_000 + CASES * CASE_MS,
);

/** The same user in the dashboard, whose orders have no key. */
const inDashboard = (user: TestUser) =>
  ({ ...user, principal: { ...user.principal, keyId: null } }) as unknown as TestUser;

async function expectSameUsage(user: TestUser): Promise<void> {
  const query = { ...user.principal, marketId: null, now: clock.now };
  for (const { scope, usage } of await readLimitedSubjects(await getDb(), query)) {
    const { spent, reserved, openOrders } = usage;
    const known = { spent: spent.toString(), reserved: reserved.toString(), open: openOrders };
    expect(known).toEqual(await computeUsage(user, scope === "key" ? user.principal.keyId : null));
  }
}

const toRefusal = (error: unknown) => {
  const { code, message } = error as { code: string; message: string };
  return { code, message };
};
