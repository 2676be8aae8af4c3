// Everything that the rows need side by side: databases with users, services on them, bare servers.
import {
  type BareServer,
  type Bodies,
  buildBareNext,
  startBareNext,
  startBareNode,
} from "@/tests/bench/limits";
import {
  bearer,
  marketable,
  ORDER_ID,
  pick,
  place,
  resting,
  sendAll,
  type Token,
  tradableTokens,
} from "@/tests/bench/orders";
import { seed, type Service, type Site, throughNext, type Trader } from "@/tests/bench/services";
import { dataOf, send } from "@/tests/support/product-client";

/** The database that others are copies of: users, and markets that were traded. */
export const SEEDED = "seeded";
const TRADERS = 1_000;
const EMBEDDED_TRADERS = 50;
const READERS = 4;
const POSITIONS = 50;
const OPEN_ORDERS = 100;

/** Paths that are read, by the name of their row. */
export const READS = {
  health: () => "/health",
  balance: () => "/v1/account/balance",
  positions: () => "/v1/positions",
  "open-orders": () => "/v1/orders/open",
  "order-by-id": ({ orderId }: Reader) => `/v1/orders/${orderId}`,
} as const;
export type ReadName = keyof typeof READS;
export const READ_NAMES = Object.keys(READS) as readonly ReadName[];

/** A user with 50 positions and 100 open orders. */
export interface Reader extends Trader {
  orderId: string;
}

/** The users of one database. */
export interface Cast {
  traders: readonly Trader[];
  readers: readonly Reader[];
  tokens: readonly Token[];
}

export interface Stage {
  site: Site;
  onPostgres: Cast;
  onEmbedded: Cast;
  /** Two processes on one Postgres database, and Next on the same. */
  one: Service;
  two: Service;
  next: Service;
  embedded: Service;
  bareNode: BareServer;
  bareNext: BareServer;
}

export async function setStage(site: Site): Promise<Stage> {
  const [onPostgres] = await Promise.all([seedPostgres(site), buildBareNext(READ_NAMES)]);
  await site.createDatabase("main", SEEDED);
  const environment = site.onPostgres("main");
  const one = await site.start(environment);
  const two = await site.start(environment);
  const next = await site.start(environment, throughNext);
  const { embedded, onEmbedded } = await stageEmbedded(site);
  const bodies = await bodiesOf(one, pick(onPostgres.readers, 0));
  const bareNode = await startBareNode(site.folder, bodies);
  const bareNext = await startBareNext(site.folder, bodies);
  return { site, onPostgres, onEmbedded, one, two, next, embedded, bareNode, bareNext };
}

async function seedPostgres(site: Site): Promise<Cast> {
  await site.createDatabase(SEEDED);
  const traders = await seed(site.onPostgres(SEEDED), TRADERS + READERS);
  const service = await site.start(site.onPostgres(SEEDED));
  const cast = await prepareReaders(service, traders);
  await service.product.stop();
  return cast;
}

async function stageEmbedded(site: Site): Promise<{ embedded: Service; onEmbedded: Cast }> {
  const environment = site.embedded();
  const traders = await seed(environment, EMBEDDED_TRADERS + READERS);
  const embedded = await site.start(environment);
  return { embedded, onEmbedded: await prepareReaders(embedded, traders) };
}

/** Gives the first users what they read, which also writes the rows of the markets they trade. */
async function prepareReaders(service: Service, all: readonly Trader[]): Promise<Cast> {
  const chosen = all.slice(0, READERS);
  const tokens = await tradableTokens(service.port, pick(all, 0).apiKey);
  if (tokens.length < POSITIONS) throw new Error(`only ${tokens.length} markets can be traded`);
  const orderIds: string[] = [];
  for (const reader of chosen) {
    const buys = tokens.slice(0, POSITIONS).map((token) => place(reader, marketable(token)));
    await sendAll(service, buys);
    const bids = Array.from({ length: OPEN_ORDERS }, (_, index) =>
      place(reader, resting(pick(tokens, index))),
    );
    const [placed] = await sendAll(service, bids, ORDER_ID);
    orderIds.push(placed?.value ?? "");
  }
  const readers = chosen.map((reader, index) => ({ ...reader, orderId: pick(orderIds, index) }));
  await expectReads(service, pick(readers, 0));
  return { traders: all.slice(READERS), readers, tokens };
}

/** Rows must not say "50 positions" of fewer. */
async function expectReads({ port }: Service, { apiKey: key }: Reader): Promise<void> {
  const read = async (path: string) => dataOf(await send(port, { method: "GET", path, key }));
  const { positions } = (await read(READS.positions())) as { positions?: unknown[] };
  const { orders } = (await read(READS["open-orders"]())) as { orders?: unknown[] };
  const counts = `${positions?.length} positions, ${orders?.length} open orders`;
  if (counts !== `${POSITIONS} positions, ${OPEN_ORDERS} open orders`) throw new Error(counts);
}

async function bodiesOf({ port }: Service, reader: Reader): Promise<Bodies> {
  const entries = READ_NAMES.map(async (name): Promise<[string, string]> => {
    const answer = await send(port, {
      method: "GET",
      path: READS[name](reader),
      headers: bearer(reader.apiKey),
    });
    dataOf(answer);
    return [name, answer.text];
  });
  return Object.fromEntries(await Promise.all(entries));
}
