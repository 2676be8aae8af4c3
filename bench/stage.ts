// Everything that the measurements need: databases with users, services and bare servers.
import {
  type BareServer,
  type Bodies,
  buildBareNext,
  startBareNext,
  startBareNode,
} from "@/bench/limits";
import {
  bearer,
  buildMarketable,
  ORDER_ID,
  pick,
  buildPlacement,
  buildResting,
  sendAll,
  type Token,
  listTradableTokens,
} from "@/bench/orders";
import { seed, type Service, type Site, buildNextArguments, type Trader } from "@/bench/services";
import { readData, send } from "@/tests/support/product/client";

/** The template database with users and traded markets. */
export const SEEDED = "seeded";
const TRADERS = 100;
const EMBEDDED_TRADERS = 50;
const READERS = 4;
const POSITIONS = 50;
const OPEN_ORDERS = 100;

/** The names of candidates in the table. */
export const CANDIDATES = {
  node: "bare node:http",
  next: "bare Next",
  proxiedNext: "bare Next behind a proxy",
  one: "Postgres, 1 process",
  changed: "Postgres, account changed",
  two: "Postgres, 2 processes",
  embedded: "embedded",
  throughNext: "Postgres, through Next",
} as const;

/** Paths of reads by the name of their row. */
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

/** Creates the databases and users and starts all services. */
export async function prepareStage(site: Site): Promise<Stage> {
  const [onPostgres] = await Promise.all([seedPostgres(site), buildBareNext(READ_NAMES)]);
  await site.createDatabase("main", SEEDED);
  const environment = site.onPostgres("main");
  const one = await site.start(environment);
  const two = await site.start(environment);
  const next = await site.start(environment, buildNextArguments);
  const { embedded, onEmbedded } = await prepareEmbedded(site);
  const bodies = await readBodies(one, pick(onPostgres.readers, 0));
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

async function prepareEmbedded(site: Site): Promise<{ embedded: Service; onEmbedded: Cast }> {
  const environment = site.embedded();
  const traders = await seed(environment, EMBEDDED_TRADERS + READERS);
  const embedded = await site.start(environment);
  return { embedded, onEmbedded: await prepareReaders(embedded, traders) };
}

/** Places the readers' orders. This also stores the markets that they trade. */
async function prepareReaders(service: Service, all: readonly Trader[]): Promise<Cast> {
  const chosen = all.slice(0, READERS);
  const tokens = await listTradableTokens(service.port, pick(all, 0).apiKey);
  if (tokens.length < POSITIONS) throw new Error(`only ${tokens.length} markets can be traded`);
  const orderIds: string[] = [];
  for (const reader of chosen) {
    const buys = tokens
      .slice(0, POSITIONS)
      .map((token) => buildPlacement(reader, buildMarketable(token)));
    await sendAll(service, buys);
    const bids = Array.from({ length: OPEN_ORDERS }, (_, index) =>
      buildPlacement(reader, buildResting(pick(tokens, index))),
    );
    const [placed] = await sendAll(service, bids, ORDER_ID);
    orderIds.push(placed?.value ?? "");
  }
  const readers = chosen.map((reader, index) => ({ ...reader, orderId: pick(orderIds, index) }));
  await expectReads(service, pick(readers, 0));
  return { traders: all.slice(READERS), readers, tokens };
}

/** Checks that the readers have the positions and orders that the rows' names promise. */
async function expectReads({ port }: Service, { apiKey: key }: Reader): Promise<void> {
  const read = async (path: string) => readData(await send(port, { method: "GET", path, key }));
  const { positions } = (await read(READS.positions())) as { positions?: unknown[] };
  const { orders } = (await read(READS["open-orders"]())) as { orders?: unknown[] };
  const counts = `${positions?.length} positions, ${orders?.length} open orders`;
  if (counts !== `${POSITIONS} positions, ${OPEN_ORDERS} open orders`) throw new Error(counts);
}

async function readBodies({ port }: Service, reader: Reader): Promise<Bodies> {
  const entries = READ_NAMES.map(async (name): Promise<[string, string]> => {
    const answer = await send(port, {
      method: "GET",
      path: READS[name](reader),
      headers: bearer(reader.apiKey),
    });
    readData(answer);
    return [name, answer.text];
  });
  return Object.fromEntries(await Promise.all(entries));
}
