// Claims of the built product, killed between their steps.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Service, Site } from "@/bench/services";
import type { Fault, VenueCall } from "@/tests/support/live/fault-server";
import {
  type LiveEnvironment,
  type LiveTrader,
  SERVICE,
  VENUE,
  verifyBothBooks,
} from "@/tests/support/live/product-stack";
import { MovedClock, startRelayedEnvironment } from "@/tests/support/live/relayed-stack";
import { cleanUpAfterwards, newKey, readData, send, until } from "@/tests/support/product/product";

const site = new Site();
// Registered first, so that it runs last: the servers must stop before their database.
afterAll(() => site.close());
cleanUpAfterwards();

const SHARES = 5;
const SHARES_MICRO = "5000000";
/** The proxy wallet, the Safe and the deposit wallet. */
const TYPES = [1, 2, 3] as const;
const HOUR_MS = 3_600_000;

type Answer = Parameters<Fault>[1];
/**
 * When the process dies. `isMeant` selects the call of a claim, and `reach` handles it: it calls `die` at
 * the moment, which returns when the process is dead.
 */
interface Moment {
  name: string;
  isMeant: (call: VenueCall) => boolean;
  reach: (
    die: () => Promise<void>,
    handle: () => Promise<Response>,
    answer: Answer,
  ) => Promise<void>;
  /** How many of its calls each claim makes at the same time. */
  calls?: number;
}

const isSubmit = ({ path }: VenueCall) => path === "/relayer/submit";
const MOMENTS: readonly Moment[] = [
  {
    name: "after it was recorded, before it is signed",
    isMeant: ({ path }) => path === "/relayer/v1/account/transactions/params",
    reach: async (die, _, { drop }) => {
      await die();
      drop();
    },
  },
  {
    name: "after it was signed and stored, before it is submitted",
    isMeant: isSubmit,
    reach: async (die, _, { drop }) => {
      await die();
      drop();
    },
  },
  {
    name: "after the relayer accepted it, without a response",
    isMeant: isSubmit,
    reach: async (die, handle, { drop }) => {
      await handle();
      await die();
      drop();
    },
  },
  {
    name: "after the chain confirmed it, before it is booked",
    isMeant: ({ method, path }) =>
      method === "GET" && /^\/relayer\/v1\/account\/transactions\/[0-9a-f-]{36}$/.test(path),
    reach: async (die, handle, { drop, send: answer }) => {
      const response = await handle();
      if (!(await response.clone().text()).includes("STATE_CONFIRMED")) return answer(response);
      await die();
      drop();
    },
  },
  {
    name: "after it was booked, before the venue reads the balances again",
    isMeant: ({ path }) => path === "/clob/balance-allowance/update",
    calls: 3,
    reach: async (die, _, { drop }) => {
      await die();
      drop();
    },
  },
];

let ground: LiveEnvironment;
let service: Service;
let markets: string[] = [];
const clock = new MovedClock(site);

beforeAll(async () => {
  await site.open();
  ground = await startRelayedEnvironment(site, TYPES.length, {
    clock,
    relayerMs: 500,
    types: TYPES,
    // Longer than the first call waits for those of the other wallets.
    both: { SUBMIT_ATTEMPT_TIMEOUT_MS: "8000" },
  });
  service = await site.start(ground.environment);
  markets = await splitMarkets();
}, 300_000);

const call = (trader: LiveTrader, method: string, path: string, body?: object) =>
  send(service.port, { method, path, key: trader.liveKey, ...(body ? { body } : {}) });

interface Listed {
  id: string;
  closesAt: string;
  outcomes: { tokenId: string }[];
}

/**
 * Gives every trader shares of as many markets as there are moments, by splits, and moves the clocks
 * until the markets are resolved. Returns the first token of each.
 */
async function splitMarkets(): Promise<string[]> {
  const chosen = await until("markets that resolve within hours are listed", listSoonResolved);
  for (const trader of ground.traders) {
    // The sandbox funds a wallet when it first sees it.
    expect((await call(trader, "GET", "/v1/account/balance")).status).toBe(200);
    for (const { id: marketId } of chosen) {
      const body = { marketId, shares: SHARES, idempotencyKey: newKey("split") };
      await until("the split is confirmed", async () => {
        const answer = await call(trader, "POST", "/v1/positions/split", body);
        return answer.status === 200 && readData<{ status: string }>(answer).status === "confirmed";
      });
    }
  }
  clock.move(5 * HOUR_MS);
  await until("the markets are resolved", () => areResolved(chosen));
  return chosen.map(({ outcomes }) => outcomes[0]?.tokenId ?? "");
}

async function listSoonResolved(): Promise<Listed[] | false> {
  const [trader] = ground.traders;
  if (!trader) return false;
  const answer = await call(trader, "GET", "/v1/markets?limit=100&sort=closing");
  if (answer.status !== 200) return false;
  const soon = readData<{ markets: Listed[] }>(answer).markets.filter(({ closesAt }) => {
    const left = Date.parse(closesAt) - Date.now();
    // The splits take less than a minute on an idle machine.
    return left > HOUR_MS / 2 && left < 3 * HOUR_MS;
  });
  return soon.length >= MOMENTS.length && soon.slice(0, MOMENTS.length);
}

async function areResolved(chosen: readonly Listed[]): Promise<boolean> {
  const [trader] = ground.traders;
  const states = chosen.map(async ({ id }) => {
    const answer = trader && (await call(trader, "GET", `/v1/markets/${id}`));
    return answer?.status === 200 && readData<{ status: string }>(answer).status === "resolved";
  });
  return (await Promise.all(states)).every(Boolean);
}

it.each(MOMENTS.map((moment, index) => ({ ...moment, index })))(
  "a claim of each kind of wallet, killed $name, happens once and is booked once",
  async ({ isMeant, reach, calls = 1, index }) => {
    const token = markets[index] ?? "";
    let waiting = 0;
    let kill = () => {};
    const dead = new Promise<void>((resolve, reject) => {
      kill = () => void service.product.crash().then(resolve, reject);
    });
    const die = () => {
      waiting += 1;
      if (waiting === calls * TYPES.length) kill();
      return dead;
    };
    ground.network.fault = (made) =>
      isMeant(made) ? (handle, answer) => reach(die, handle, answer) : null;
    const claims = ground.traders.map((trader) =>
      call(trader, "POST", `/v1/positions/${token}/redeem`).catch(() => null),
    );
    // A claim that is refused never reaches the moment.
    const refused = Promise.all(claims).then((answers) => {
      const texts = answers.flatMap((answer) => (answer?.status === 400 ? answer.text : []));
      if (texts.length > 0) throw new Error(texts.join());
      return dead;
    });
    await Promise.race([dead, refused]);
    await Promise.all(claims);
    expect(waiting).toBe(calls * TYPES.length);
    ground.network.fault = () => null;
    service = await site.start(ground.environment);
    await until("every claim is confirmed", async () => {
      const rows = await readClaims();
      return rows.filter(({ status }) => status === "confirmed").length === (index + 1) * 3;
    });
    // A repeated claim finds nothing more to claim.
    for (const trader of ground.traders) {
      const again = await call(trader, "POST", `/v1/positions/${token}/redeem`);
      expect([again.status, again.text]).toEqual([
        400,
        expect.stringContaining("nothing to claim"),
      ]);
    }
    await expectClaimedOnce(index + 1);
  },
  180_000,
);

async function readClaims(): Promise<{ status: string; attempts: number }[]> {
  const { rows } = await site.query(
    SERVICE,
    "select status, attempts from wallet_transactions where kind = 'redeem'",
  );
  return rows as { status: string; attempts: number }[];
}

async function count(database: string, text: string): Promise<number> {
  const { rows } = await site.query(database, text);
  return (rows as { count: number }[])[0]?.count ?? 0;
}

/** Checks both sides after `rounds` claims of every trader. */
async function expectClaimedOnce(rounds: number): Promise<void> {
  const claims = rounds * TYPES.length;
  expect(await readClaims()).toEqual(
    Array.from({ length: claims }, () => ({ status: "confirmed", attempts: 1 })),
  );
  // At the venue: the splits, and one transaction per claim.
  expect(
    await count(
      VENUE,
      "select count(*)::int from sandbox_transactions where applied_at is not null",
    ),
  ).toBe(MOMENTS.length * TYPES.length + claims);
  expect(
    await count(
      SERVICE,
      `select count(*)::int from ledger_transfers where kind = 'redeem' and asset <> 'usdc'
         and amount_micro = ${SHARES_MICRO}`,
    ),
  ).toBe(2 * claims);
  for (const [type, number] of [
    ["transaction.confirmed", MOMENTS.length * TYPES.length + claims],
    ["position.redeemed", 2 * claims],
  ] as const) {
    const text = `select count(*)::int from account_events where mode = 'live' and type = '${type}'`;
    expect([type, await count(SERVICE, text)]).toEqual([type, number]);
  }
  expect(await verifyBothBooks(ground)).toEqual([]);
}
