import type { OutgoingHttpHeaders } from "node:http";
import { beforeAll, expect, it } from "vitest";
import { ENDPOINTS, PAGES } from "@/tests/support/authorization/table";
import { HEADER_TRICKS } from "@/tests/support/authorization/header-tricks";
import {
  type Answer,
  anyToken,
  cleanUpAfterwards,
  readData,
  expectCleanBooks,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  send,
  type SeededUser,
  seedUsers,
  startPrepared,
} from "@/tests/support/product/product";
import { Random, readSeed } from "@/tests/support/random";
import { signIn } from "@/tests/support/product/session";

cleanUpAfterwards();

/** The long run: BREAK_INS=5000. */
const ATTEMPTS = Number(process.env["BREAK_INS"] ?? 500);
const ATTEMPT_MS = 400;
const IN_FLIGHT = 4;

let product: Product;
let owner: SeededUser;
let cookie = "";
let orderId = "";
let tokenId = "";

beforeAll(async () => {
  const dataDir = preparedDataDir();
  const [first] = await seedUsers({ DATA_DIR: dataDir }, 1, "1000");
  if (!first) throw new Error("no user was seeded");
  owner = first;
  product = await startPrepared({ dataDir, env: NO_LIMITS });
  const { port } = product;
  const key = owner.apiKey;
  cookie = await signIn(port, owner);
  tokenId = await anyToken(port, key);
  const body = { tokenId, action: "BUY", orderType: "limit", price: 0.1, shares: 10 };
  const placed = await send(port, { method: "POST", path: "/v1/orders", key, body });
  orderId = String(readData(placed)["orderId"]);
});

/** Every guarded endpoint: a method, and a path to an object of the owner. */
const DOORS = [
  ...(["key", "session", "operator", "wallet"] as const).flatMap((door) => ENDPOINTS[door]),
  ...Object.keys(PAGES)
    .filter((page) => PAGES[page] === "session")
    .map((page) => `GET ${page}`),
].map((name) => {
  const [method = "GET", path = "/"] = name.split(" ");
  return { method, path };
});

const SPELLINGS: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => path,
  (path) => path,
  (path) => path.toUpperCase(),
  (path) => path.replace("/api", "/API"),
  (path) => path.replace("/", "//"),
  (path) => path.replace("/v1", "/%761"),
  (path) => `${path}/`,
  (path) => `${path}?next=/`,
  (path) => `/x/..${path}`,
  (path) => `/_next/data/x${path}.json`,
  (path) => `${path}.rsc`,
  (path) => `${path};jsessionid=x`,
  (path) => `${path}%00`,
];

/** A credential that is similar to the owner's but not valid. */
function nearly(random: Random, genuine: string): string {
  // The last character of a base64 text, so of each part of a session, can differ without changing the
  // bytes.
  const drawn = random.integer(12, genuine.length - 5);
  const at = genuine[drawn + 1] === "." ? drawn - 1 : drawn;
  const letter = genuine[at] ?? "";
  const wrong = [
    genuine.slice(0, at),
    genuine.slice(0, -1),
    `${genuine.slice(0, at)}${letter === "a" ? "b" : "a"}${genuine.slice(at + 1)}`,
    `${genuine}${genuine.slice(-4)}`,
    genuine.toUpperCase(),
    genuine.replace("paper", "live"),
    genuine.split("").toReversed().join(""),
    `${genuine.slice(0, 20)}${"0".repeat(Math.max(0, genuine.length - 20))}`,
  ];
  return random.pick(wrong.filter((text) => text !== genuine));
}

function createCredentials(random: Random): OutgoingHttpHeaders {
  const session = cookie.slice(cookie.indexOf("=") + 1);
  const name = cookie.slice(0, cookie.indexOf("="));
  return random.pick<() => OutgoingHttpHeaders>([
    () => ({}),
    () => ({ authorization: `Bearer ${nearly(random, owner.apiKey)}` }),
    () => ({ authorization: `Bearer ${nearly(random, owner.apiKey)}` }),
    () => ({ authorization: `Basic ${Buffer.from(owner.apiKey).toString("base64")}` }),
    () => ({ authorization: `Bearer ${session}` }),
    () => ({ cookie: `${name}=${nearly(random, session)}` }),
    () => ({ cookie: `${name}=${nearly(random, session)}` }),
    () => ({ cookie: `${name}=${owner.apiKey}` }),
    () => ({ cookie: `__Host-${name}=${session}; __Secure-${name}=${session}` }),
    () => ({ "x-api-key": owner.apiKey, cookie: `apiKey=${owner.apiKey}` }),
    () => ({ poly_address: owner.address, poly_api_key: owner.apiKey, poly_signature: "0x" }),
  ])();
}

it(
  `${ATTEMPTS} break-in attempts reveal nothing and change nothing`,
  async () => {
    const random = new Random(readSeed());
    process.stdout.write(`break-ins: PRODUCT_SEED=${random.seed}\n`);
    const before = await readState();
    const problems = new Map<string, number>();
    const statuses: Record<string, number> = {};
    const queue = Array.from({ length: ATTEMPTS }, (_, index) => random.fork(index)).values();
    const work = async () => {
      for (const dice of queue) {
        const { method, path } = dice.pick(DOORS);
        const real = path.replaceAll(/\[(?:\.{3})?(\w+)\]/g, (_, name: string) =>
          name === "orderId" ? orderId : tokenId,
        );
        const tricks = dice.chance(0.4) ? dice.pick(HEADER_TRICKS)[1] : {};
        const sent = {
          method,
          path: dice.pick(SPELLINGS)(real),
          headers: { ...tricks, ...createCredentials(dice) },
          ...(method === "POST" ? { body: { tokenId, action: "BUY" } } : {}),
        };
        const answer = await send(product.port, sent).catch(() => null);
        const status = String(answer?.status ?? "closed");
        statuses[status] = (statuses[status] ?? 0) + 1;
        const problem = answer === null ? null : findProblem(answer, sent.path);
        if (problem === null) continue;
        const about = `${problem}: ${JSON.stringify(sent).slice(0, 1900)}`;
        problems.set(about, (problems.get(about) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, work));
    process.stdout.write(`break-ins: ${ATTEMPTS} attempts, ${JSON.stringify(statuses)}\n`);
    expect([...problems.keys()]).toEqual([]);
    expect(await readState()).toBe(before);
    expect((await product.stop()).code).toBe(0);
    await expectCleanBooks({ DATA_DIR: product.dataDir });
  },
  120_000 + ATTEMPTS * ATTEMPT_MS,
);

/** What a response revealed. The requested path may appear in it. */
function findProblem({ status, text }: Answer, path: string): string | null {
  const own = [owner.userId, owner.email, owner.address, owner.funderAddress, orderId];
  const shown = own.filter((secret) => text.includes(secret) && !path.includes(secret));
  if (shown.length > 0) return `${status} shows ${shown.join()}`;
  if (status >= 500 && status !== 502) return `status ${status}`;
  // Next answers its older kind of prefetch with an empty object before it looks for a page. The
  // sign-in page and its parts also come with 200. None of them reveals anything.
  const isPage = text.includes("<html") || /^\d+:/.test(text);
  const isNothing = text === "{}" || text === "" || isPage;
  return status < 300 && !isNothing ? `${status} ${text.slice(0, 120)}` : null;
}

/** The state that an attempt could have changed. */
async function readState(): Promise<string> {
  const paths = ["/v1/account/balance", "/v1/orders", "/v1/activity", "/v1/positions"];
  const texts: string[] = [];
  for (const path of paths) {
    texts.push((await send(product.port, { method: "GET", path, key: owner.apiKey })).text);
  }
  return texts.join("\n");
}
