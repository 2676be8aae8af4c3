// How the cost grows with the orders in the database: three otherwise equal databases.
import { type Candidate, measureAlternately } from "@/bench/measure";
import { ORDER_ID, buildPlacements, buildResting, makeUndo } from "@/bench/orders";
import type { Service, Site } from "@/bench/services";
import type { Allowance } from "@/bench/schedule";
import { type Cast, SEEDED } from "@/bench/stage";
import { describeShortfall, makeFlatTarget, reportGrowth } from "@/bench/targets";

const SIZES = [100, 10_000, 1_000_000];
const USERS = 100;
const BATCH = 50_000;
/** A slow disk gets fewer orders, so that there is time to measure. */
const FILL_PART = 0.6;

export async function measureStored(site: Site, cast: Cast, allowance: Allowance): Promise<void> {
  const services: Service[] = [];
  const candidates: Candidate[] = [];
  const shortfalls = new Map<string, string | null>();
  for (const size of SIZES) {
    const database = `stored_${size}`;
    await site.createDatabase(database, SEEDED);
    const stored = await fill(site, database, size, FILL_PART * allowance.left);
    const service = await site.start(site.onPostgres(database));
    services.push(service);
    const name = `${stored.toLocaleString("en-US")} stored`;
    shortfalls.set(name, describeShortfall(stored, size));
    candidates.push(makeCandidate(service, cast, name));
  }
  const measured = await measureAlternately(candidates, allowance);
  reportGrowth("resting order by orders in the database", measured, makeFlatTarget, shortfalls);
  for (const { product } of services) await product.stop();
}

function makeCandidate(service: Service, { traders, tokens }: Cast, name: string): Candidate {
  const calls = buildPlacements(traders.slice(0, USERS), tokens, (token) => buildResting(token));
  return {
    name,
    ports: [service.port],
    readCpu: service.readCpu,
    calls,
    collect: ORDER_ID,
    afterRound: makeUndo(service, calls),
  };
}

/**
 * Inserts canceled orders of all users in all markets with the claims, events and transfers that the
 * service would have written. Returns how many there are.
 */
async function fill(site: Site, database: string, size: number, seconds: number): Promise<number> {
  const deadline = performance.now() + 1000 * seconds;
  let stored = 0;
  while (stored < size && (stored === 0 || performance.now() < deadline)) {
    const count = Math.min(BATCH, size - stored);
    await site.query(database, renderOrders(stored + 1, stored + count));
    stored += count;
  }
  await site.query(database, "vacuum analyze");
  await site.query(database, "checkpoint");
  return stored;
}

const renderOrders = (first: number, last: number): string => `
begin;
set local synchronous_commit = off;
create temporary table batch on commit drop as
  with users_in_turn as (
    select id, epoch, row_number() over (order by id) - 1 as place from users
  ), markets_in_turn as (
    select id, first_token, row_number() over (order by id) - 1 as place from markets
  )
  select number,
      'ord_' || lpad(upper(to_hex(number)), 26, '0') as id,
      u.id as user_id, u.epoch as epoch, m.id as market_id, m.first_token as token_id,
      now() - interval '400 days' + number * interval '30 seconds' as at
    from generate_series(${first}, ${last}) number
      join users_in_turn u on u.place = number % (select count(*) from users)
      join markets_in_turn m on m.place = number % (select count(*) from markets);
insert into orders (id, user_id, epoch, market_id, token_id, outcome, action, type, price_micro,
    shares_micro, status, filled_shares_micro, filled_notional_micro, fee_micro, held_micro,
    book_side, book_price_micro, idempotency_key_json, created_at, updated_at)
  select id, user_id, epoch, market_id, token_id, 0, 'BUY', 'limit', 10000, 5000000, 'canceled',
      0, 0, 0, 0, 'bid', 10000, '"stored-' || number || '"', at, at
    from batch;
insert into order_events (order_id, type, detail, created_at)
  select id, type, '{}', at
    from batch cross join unnest(array['received', 'canceled']) as type;
insert into ledger_transfers (id, kind, asset, debit_account, credit_account, amount_micro, group_id,
    order_id, market_id, created_at)
  select 'stored/' || kind || '/' || id, kind, 'usdc',
      user_id || '/' || epoch || '/usdc/' || payer, user_id || '/' || epoch || '/usdc/' || payee,
      50000, id, id, market_id, at
    from batch cross join (
      values ('hold', 'available', 'held'), ('release', 'held', 'available')
    ) as moves (kind, payer, payee);
insert into idempotency_keys (user_id, key_hash, fingerprint, fields, order_id, status, body,
    created_at)
  select user_id, encode(sha256(('stored-' || number)::bytea), 'hex'),
      encode(sha256(id::bytea), 'hex'), '{}', id, 200, '{}', at
    from batch;
commit;
`;
