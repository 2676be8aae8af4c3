import { expect, it } from "vitest";
import {
  type Answer,
  cleanUpAfterwards,
  readData,
  demoKey,
  expectCleanBooks,
  isHealthy,
  listMarkets,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  readDemo,
  readEnvelope,
  runAdmin,
  send,
  type Sent,
  startPrepared,
  tradableTokens,
} from "@/tests/support/product/product";
import { anyRequest, type Grounds } from "@/tests/support/product/random-requests";
import { Random, readSeed } from "@/tests/support/random";

cleanUpAfterwards();

/** The long run: FUZZ_REQUESTS=20000. */
const REQUESTS = Number(process.env["FUZZ_REQUESTS"] ?? 2_000);
const REQUEST_MS = 100;
const IN_FLIGHT = 8;
const STATUSES = [200, 400, 401, 404, 405, 429, 502];

it(
  `${REQUESTS} mutated requests get documented statuses and envelopes, and the books agree`,
  async () => {
    const seed = readSeed();
    process.stdout.write(`fuzz: PRODUCT_SEED=${seed}\n`);
    const dataDir = preparedDataDir();
    const readerKey = await createReader(dataDir);
    const product = await startPrepared({ dataDir, env: NO_LIMITS });
    const grounds = await layGrounds(product, readerKey);
    const problems = new Map<string, string[]>();
    const tally = new Map<string, number>();
    const reached = new Set<string>();

    const requests = Array.from({ length: REQUESTS }, (_, index) =>
      anyRequest(new Random(seed).fork(index), grounds),
    );
    const queue = requests.entries();
    const startedAt = performance.now();
    const work = async () => {
      for (const [index, { endpoint, ...sent }] of queue) {
        const answer = await send(product.port, sent).catch((error: unknown) => String(error));
        const problem = typeof answer === "string" ? answer : findProblem(answer, sent);
        const about = `#${index} ${JSON.stringify({ ...sent, body: String(sent.body) }).slice(0, 600)}`;
        if (problem !== null) problems.set(problem, [...(problems.get(problem) ?? []), about]);
        if (typeof answer === "string") continue;
        tally.set(String(answer.status), (tally.get(String(answer.status)) ?? 0) + 1);
        if (answer.status === 200) reached.add(endpoint);
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, work));
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(`fuzz: ${JSON.stringify(Object.fromEntries(tally))} in ${seconds} s\n`);

    const told = [...problems].map(([kind, all]) => `${all.length} × ${kind}, as ${all[0]}`);
    expect.soft(told).toEqual([]);
    // Every endpoint except redeeming must have succeeded, or the run shows little.
    expect(reached.size).toBeGreaterThanOrEqual(18);
    expect(await isHealthy(product.port)).toBe(true);
    const inLog = product
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{"));
    expect(inLog).toEqual([]);
    expect((await product.stop()).code).toBe(0);
    await expectCleanBooks({ DATA_DIR: dataDir });
  },
  240_000 + REQUESTS * REQUEST_MS,
);

/** The OpenAPI document has no envelope, because tools read it as it is. */
const isDescription = ({ path }: Sent) => /\/(openapi|asyncapi)\.json(\?|#|$)/.test(path);

function findProblem(answer: Answer, sent: Sent): string | null {
  const { status, headers, text } = answer;
  if (!STATUSES.includes(status)) return `status ${status}`;
  if (!/^application\/json(;|$)/.test(headers["content-type"] ?? ""))
    return `type ${headers["content-type"]}`;
  if (!headers["x-request-id"]) return `${status} without x-request-id`;
  if (status === 405 && !headers["allow"]) return "405 without Allow";
  if (sent.method === "HEAD") return text === "" ? null : "HEAD with a body";
  if (status === 200 && isDescription(sent)) return null;
  try {
    const envelope = readEnvelope(answer);
    return !envelope.ok && envelope.error.code === "INTERNAL_ERROR" ? "INTERNAL_ERROR" : null;
  } catch (error) {
    return String(error);
  }
}

async function createReader(dataDir: string): Promise<string> {
  const { userId } = readDemo(dataDir);
  const args = ["keys:create", "--user", userId, "--name", "reader", "--scopes", "read", "--json"];
  const { stdout } = await runAdmin(args, { DATA_DIR: dataDir });
  return (JSON.parse(stdout) as { apiKey: string }).apiKey;
}

/** Places some orders, so that mutated requests can refer to them. */
async function layGrounds(product: Product, readerKey: string): Promise<Grounds> {
  const { port } = product;
  const key = demoKey(product);
  const markets = await listMarkets(port, key, 12);
  const tokenIds = markets.flatMap((market) => market.outcomes.map(({ tokenId }) => tokenId));
  const orderIds: string[] = [];
  // An outcome that is almost certain may have no sellers.
  const tradable = await tradableTokens(port, key);
  for (const [index, tokenId] of tradable.slice(0, 8).entries()) {
    const order =
      index % 2 === 0
        ? { orderType: "market", amount: 5 }
        : { orderType: "limit", shares: 10, price: 0.1 };
    const body = { tokenId, action: "BUY", ...order };
    orderIds.push(
      String(
        readData(await send(port, { method: "POST", path: "/v1/orders", key, body }))["orderId"],
      ),
    );
  }
  return {
    key,
    otherKeys: [readerKey],
    orderIds,
    marketIds: markets.map(({ id }) => id),
    tokenIds: [...tokenIds, ...tradable],
  };
}
