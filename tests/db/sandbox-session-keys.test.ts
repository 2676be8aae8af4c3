import { getBytes, hexlify, Wallet } from "ethers";
import { beforeAll, describe, expect, it } from "vitest";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import {
  putSandboxSessionKey,
  type SandboxSessionKeyRow,
} from "@/lib/db/queries/sandbox-session-keys";
import { chooseExchange } from "@/lib/domain/protocol";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { computeLimitAmounts } from "@/lib/polymarket/protocol/amounts";
import { getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import type { OrderStruct } from "@/lib/polymarket/protocol/order-hash";
import { signOrderInSession, signOrderStruct } from "@/lib/polymarket/protocol/order-signature";
import { wrapSessionSignature } from "@/lib/polymarket/protocol/session-envelope";
import { signBatch } from "@/lib/polymarket/protocol/relayer-signature";
import { buildAuthorizeCall, buildRevokeCall } from "@/lib/polymarket/protocol/session-calls";
import { deriveDepositWallet } from "@/lib/polymarket/protocol/wallets";
import { readBalance } from "@/lib/sandbox/balance";
import { cancelByIds, cancelWhere } from "@/lib/sandbox/cancel-orders";
import { SandboxError } from "@/lib/sandbox/error";
import { readOrderPayload } from "@/lib/sandbox/order-payload";
import { findWireOrder, listWireOrders } from "@/lib/sandbox/orders";
import { placeSandboxOrder } from "@/lib/sandbox/place-order";
import { listSessionSigners } from "@/lib/sandbox/session-keys";
import { revokeSessionKey } from "@/tests/support/sandbox/session-keys";
import { openUserSession, UserFeed } from "@/lib/sandbox/stream/user-channel";
import { listWireTrades } from "@/lib/sandbox/trades";
import { complement, price, shares } from "@/lib/units";
import { databaseState } from "@/tests/support/api/state";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { findPriceInside, freshMarket, useTestClock } from "@/tests/support/exchange/orders";
import { Random } from "@/tests/support/random";
import {
  askRelayer,
  deriveRelayedWallet,
  makeRelayedOwner,
  readNonce,
  readState,
  type RelayedOwner,
} from "@/tests/support/sandbox/relayer";
import { makeSandboxWallet, placeSigned, type SandboxWallet } from "@/tests/support/sandbox/wallet";

useFreshDatabase();
const clock = useTestClock();

const MUTATIONS = 1_000;
const DAY_MS = 86_400_000;
const ZERO_BYTES = `0x${"0".repeat(64)}`;
const QUERY = new URLSearchParams();

let market: PaperMarket;
let owner: SandboxWallet;
let session: SandboxWallet;
let other: SandboxWallet;
let wallet: string;

beforeAll(async () => {
  market = freshMarket();
  [owner, session, other] = [
    await makeSandboxWallet(),
    await makeSandboxWallet(),
    await makeSandboxWallet(),
  ];
  wallet = deriveDepositWallet(owner.wallet.address);
  await authorize(session);
});

async function authorize(
  { wallet: { address } }: SandboxWallet,
  change: Partial<SandboxSessionKeyRow> = {},
): Promise<void> {
  await putSandboxSessionKey(await getDb(), {
    wallet,
    address,
    scopes: ["CLOB"],
    expiresAt: new Date(Math.floor(now() / 1_000) * 1_000 + DAY_MS),
    authorizedAt: new Date(now()),
    ...change,
  });
}

let salt = 9_000;

/** Builds a small resting order of the deposit wallet. */
function buildOrder(change: Partial<OrderStruct> = {}): OrderStruct {
  const terms = {
    price: findPriceInside(market)(0),
    size: shares(10_000_000n),
    tick: price(market.tick),
  };
  const { maker, taker } = computeLimitAmounts("BUY", terms);
  salt += 1;
  return {
    salt: String(salt),
    maker: wallet,
    signer: wallet,
    tokenId: market.outcomes[0].tokenId,
    makerAmount: String(maker),
    takerAmount: String(taker),
    side: "BUY",
    signatureType: 3,
    timestamp: String(now()),
    metadata: ZERO_BYTES,
    builder: ZERO_BYTES,
    ...change,
  };
}

const domain = () => getExchangeDomain(137, chooseExchange(market));
const signIn = (key: Wallet, order: OrderStruct) => signOrderInSession(key, order, domain());

const place = (by: SandboxWallet, order: OrderStruct, signature: string) =>
  placeSandboxOrder(
    by.caller,
    readOrderPayload({
      order: { ...order, salt: Number(order.salt), expiration: "0", signature },
      owner: by.caller.apiKey,
      orderType: "GTC",
    }),
  );

async function placeInSession(by = session): Promise<string> {
  const order = buildOrder();
  return (await place(by, order, signIn(by.wallet, order))).orderID;
}

async function placeAsOwner(): Promise<string> {
  const order = buildOrder();
  return (await place(owner, order, signOrderStruct(owner.wallet, order, domain()))).orderID;
}

const listIds = async ({ caller }: SandboxWallet) =>
  (await listWireOrders(caller, QUERY)).data.map(({ id }) => id);

type Forged = { by: SandboxWallet; order: OrderStruct; signature: string };

const FORGED: [string, () => Forged | Promise<Forged>][] = [
  [
    "with the owner's signature in the session key's envelope",
    () => {
      const order = buildOrder();
      const signature = signOrderStruct(owner.wallet, order, domain());
      const { address } = session.wallet;
      const envelope = wrapSessionSignature({ sessionAddress: address, signature });
      return { by: session, order, signature: envelope };
    },
  ],
  [
    "with the owner's signature without an envelope",
    () => {
      const order = buildOrder();
      return { by: session, order, signature: signOrderStruct(owner.wallet, order, domain()) };
    },
  ],
  [
    "with the session key's signature without an envelope",
    () => {
      const order = buildOrder();
      return { by: session, order, signature: signOrderStruct(session.wallet, order, domain()) };
    },
  ],
  [
    "with the envelope of another session key",
    async () => {
      await authorize(other);
      const order = buildOrder();
      return { by: session, order, signature: signIn(other.wallet, order) };
    },
  ],
  [
    "of a key that the wallet never authorized",
    async () => {
      const stranger = await makeSandboxWallet();
      const order = buildOrder();
      return { by: stranger, order, signature: signIn(stranger.wallet, order) };
    },
  ],
  [
    "for a wallet that didn't authorize the key",
    () => {
      const maker = deriveDepositWallet(other.wallet.address);
      const order = buildOrder({ maker, signer: maker });
      return { by: session, order, signature: signIn(session.wallet, order) };
    },
  ],
  [
    "with the key's own address as signer",
    () => {
      const order = buildOrder({ signer: session.wallet.address });
      return { by: session, order, signature: signIn(session.wallet, order) };
    },
  ],
  [
    "posted with the owner's API key",
    () => {
      const order = buildOrder();
      return { by: owner, order, signature: signIn(session.wallet, order) };
    },
  ],
  [
    "changed after it was signed",
    () => {
      const order = buildOrder();
      const signature = signIn(session.wallet, order);
      return { by: session, order: { ...order, takerAmount: "20000000" }, signature };
    },
  ],
  [
    "followed by another byte",
    () => {
      const order = buildOrder();
      return { by: session, order, signature: `${signIn(session.wallet, order)}00` };
    },
  ],
  [
    "without its last byte",
    () => {
      const order = buildOrder();
      return { by: session, order, signature: signIn(session.wallet, order).slice(0, -2) };
    },
  ],
];

describe("an order of a session key at the sandbox", () => {
  it("is accepted once", async () => {
    const order = buildOrder();
    const signature = signIn(session.wallet, order);
    expect((await place(session, order, signature)).status).toBe("live");
    await expect(place(session, order, signature)).rejects.toThrow("Duplicated");
  });

  it.each(FORGED)("%s is rejected and changes nothing", async (_, forge) => {
    const { by, order, signature } = await forge();
    const before = await databaseState();
    await expect(place(by, order, signature)).rejects.toThrow(SandboxError);
    expect(await databaseState()).toEqual(before);
  });

  it(`is rejected after each of ${MUTATIONS} mutations of its signature`, async () => {
    const random = new Random(20);
    const order = buildOrder();
    const bytes = getBytes(signIn(session.wallet, order));
    const before = await databaseState();
    for (let count = 0; count < MUTATIONS; count += 1) {
      const changed = Uint8Array.from(bytes);
      const at = random.integer(0, bytes.length - 1);
      changed[at] = ((changed[at] ?? 0) + random.integer(1, 255)) % 256;
      await expect(place(session, order, hexlify(changed)), `byte ${at}`).rejects.toThrow(
        "invalid signature",
      );
    }
    expect(await databaseState()).toEqual(before);
  });

  it.each([
    ["COMBOSRFQ", "scopes do not include CLOB"],
    ["ALL", null],
  ] as const)("with the scope %s is checked", async (scope, refusal) => {
    const key = await makeSandboxWallet();
    await authorize(key, { scopes: [scope] });
    if (refusal === null) await expect(placeInSession(key)).resolves.toMatch(/^0x/);
    else await expect(placeInSession(key)).rejects.toThrow(refusal);
  });

  it("is rejected from the key's end on, and the open ones stay", async () => {
    const key = await makeSandboxWallet();
    const expiresAt = new Date(now() + 60_000);
    await authorize(key, { expiresAt });
    const id = await placeInSession(key);
    clock.advance(60_000);
    await expect(placeInSession(key)).rejects.toThrow("the session signer has expired");
    expect(await listIds(key)).toEqual([id]);
    expect(await cancelByIds(key.caller, [id])).toMatchObject({ canceled: [id] });
  });

  it("is canceled when the key is revoked, and the key places nothing more", async () => {
    const key = await makeSandboxWallet();
    await authorize(key);
    const [own, owners] = [await placeInSession(key), await placeAsOwner()];
    await revokeSessionKey(wallet, key.wallet.address);
    expect(await listIds(key)).toEqual([]);
    expect(await findWireOrder(key.caller, own)).toMatchObject({ status: "CANCELED" });
    expect(await listIds(owner)).toContain(owners);
    await expect(placeInSession(key)).rejects.toThrow("not authorized for this wallet");
    await authorize(key);
    await expect(placeInSession(key)).resolves.toMatch(/^0x/);
  });

  it("never outlives a revocation at the same time", async () => {
    const key = await makeSandboxWallet();
    await authorize(key);
    const placing = Promise.allSettled([placeInSession(key), placeInSession(key)]);
    await revokeSessionKey(wallet, key.wallet.address);
    await placing;
    expect(await listIds(key)).toEqual([]);
  });
});

describe("orders and trades at the sandbox", () => {
  it("are seen and canceled with the API key that placed them, not with another of the wallet", async () => {
    const key = await makeSandboxWallet();
    await authorize(key);
    const [own, owners] = [await placeInSession(key), await placeAsOwner()];
    expect(await listIds(key)).toEqual([own]);
    expect(await listIds(owner)).not.toContain(own);
    expect(await findWireOrder(owner.caller, own)).toBeNull();
    expect(await findWireOrder(key.caller, owners)).toBeNull();
    expect(await cancelByIds(owner.caller, [own])).toMatchObject({ canceled: [] });
    expect((await cancelWhere(key.caller, {})).canceled).toEqual([own]);
    expect(await listIds(owner)).toContain(owners);
  });

  it("of a session key are its trades alone, with the wallet as maker", async () => {
    const key = await makeSandboxWallet();
    await authorize(key);
    const wire: string[] = [];
    const feeds = new UserFeed();
    const listen = async ({ credentials }: SandboxWallet, frames: string[]) => {
      const peer = { send: (text: string) => void frames.push(text), close: () => {} };
      const opened = openUserSession(peer, feeds);
      await opened.receive(JSON.stringify({ type: "user", auth: credentials }));
      return opened;
    };
    const owners: string[] = [];
    const sessions = [await listen(key, wire), await listen(owner, owners)];
    const id = await placeInSession(key);
    const at = complement(findPriceInside(market)(0));
    await placeSigned(other, market, { side: "BUY", at, size: 10n, outcome: 1 });
    const { data } = await listWireTrades(key.caller, QUERY);
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ trader_side: "MAKER" });
    expect(data[0]?.maker_orders).toContainEqual(
      expect.objectContaining({
        order_id: id,
        owner: key.caller.apiKey,
        maker_address: wallet.toLowerCase(),
      }),
    );
    expect((await listWireTrades(owner.caller, QUERY)).data.map((trade) => trade.id)).not.toContain(
      data[0]?.id,
    );
    for (let tries = 0; tries < 100 && !wire.join().includes('"trade"'); tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(wire.join()).toContain(id);
    expect(owners.join()).not.toContain(id);
    for (const opened of sessions) opened.close();
    await feeds.waitUntilIdle();
  });

  it("draw on the balance of the wallet that authorized the key last", async () => {
    const query = new URLSearchParams({ asset_type: "COLLATERAL", signature_type: "3" });
    const [own, owners] = [
      await readBalance(session.caller, query),
      await readBalance(owner.caller, query),
    ];
    expect(own.balance).toBe(owners.balance);
    const ofKey = new URLSearchParams({ asset_type: "COLLATERAL", signature_type: "0" });
    expect((await readBalance(session.caller, ofKey)).balance).toBe("10000000000");
  });
});

describe("the relayer", () => {
  const AUTHORIZE = "/v1/session-signers/authorizations";
  const REVOKE = "/v1/session-signers/revocations";

  interface Wanted {
    owner: RelayedOwner;
    signer?: Wallet;
    nonce?: bigint;
    scopes?: string[];
    validUntil?: bigint;
  }

  const inDays = (days: number) => BigInt(Math.floor(now() / 1_000) + (days * DAY_MS) / 1_000);

  /** Signs a change of the list of session keys as the clients send it. */
  async function sign(
    kind: "authorize" | "revoke",
    address: string,
    { owner: by, signer = by.key, ...wanted }: Wanted,
  ) {
    const own = deriveRelayedWallet(by, "WALLET");
    const validUntil = wanted.validUntil ?? inDays(1);
    const nonce = wanted.nonce ?? (await readNonce(by, "WALLET"));
    const deadline = BigInt(Math.floor(now() / 1_000) + 600);
    const call =
      kind === "authorize"
        ? buildAuthorizeCall(own, { address, validUntil })
        : buildRevokeCall(own, address);
    const batch = { wallet: own, nonce, deadline, calls: [call] };
    const common = {
      walletAddress: own,
      sessionSignerAddress: address,
      nonce: String(nonce),
      deadline: String(deadline),
      signature: signBatch(signer, batch, 137),
    };
    if (kind === "revoke") return common;
    return { ...common, scopes: wanted.scopes ?? ["CLOB"], validUntil: String(validUntil) };
  }

  const ask = (path: string, body: object, { builder }: RelayedOwner, key = "") =>
    askRelayer(builder, path, {
      body: JSON.stringify(body),
      headers: key === "" ? {} : { "Idempotency-Key": key },
    });

  const listSigners = async (by: RelayedOwner) =>
    (await listSessionSigners({ owner: by.key.address, apiKey: "" })).signers.map(
      ({ address }) => address,
    );

  /** Waits until the wallet's last transaction is confirmed. */
  const settle = () => clock.advance(60_000);

  it("authorizes a key with the owner's batch, once, and revokes it with its orders", async () => {
    const by = await makeRelayedOwner();
    const key = await makeSandboxWallet();
    const { address } = key.wallet;
    const body = await sign("authorize", address, { owner: by });
    const [first, again] = [
      await ask(AUTHORIZE, body, by, "one"),
      await ask(AUTHORIZE, body, by, "one"),
    ];
    expect(first).toMatchObject({ status: 200, body: { status: "REGISTERED" } });
    expect(again.body["operationId"]).toBe(first.body["operationId"]);
    expect(await listSigners(by)).toEqual([address]);
    settle();
    expect(await readState(by, first.body["transactionId"] ?? "")).toEqual(["STATE_CONFIRMED", ""]);
    const own = deriveRelayedWallet(by, "WALLET");
    const order = buildOrder({ maker: own, signer: own });
    const placed = await place(key, order, signIn(key.wallet, order));
    expect(placed.status).toBe("live");
    const revocation = await sign("revoke", address, { owner: by });
    expect(await ask(REVOKE, revocation, by, "two")).toMatchObject({
      status: 200,
      body: { fenced: true },
    });
    expect(await listSigners(by)).toEqual([]);
    expect(await listIds(key)).toEqual([]);
    settle();
    expect(await ask(AUTHORIZE, body, by, "three")).toMatchObject({
      status: 400,
      body: { error: "batch nonce 0 does not match on-chain nonce 2" },
    });
  });

  it("refuses the Idempotency-Key of another request: the key is not revoked by it", async () => {
    const by = await makeRelayedOwner();
    const { address } = (await makeSandboxWallet()).wallet;
    await ask(AUTHORIZE, await sign("authorize", address, { owner: by }), by, "same");
    settle();
    const revocation = await sign("revoke", address, { owner: by });
    const before = await databaseState();
    expect(await ask(REVOKE, revocation, by, "same")).toMatchObject({ status: 409 });
    expect(await databaseState()).toEqual(before);
    expect(await listSigners(by)).toEqual([address]);
    expect(await ask(REVOKE, revocation, by, "other")).toMatchObject({ status: 200 });
    expect(await listSigners(by)).toEqual([]);
  });

  it("applies equal changes at once with one Idempotency-Key as one, and answers all alike", async () => {
    const by = await makeRelayedOwner();
    const { address } = (await makeSandboxWallet()).wallet;
    for (const [path, kind] of [
      [AUTHORIZE, "authorize"],
      [REVOKE, "revoke"],
    ] as const) {
      const nonce = await readNonce(by, "WALLET");
      const body = await sign(kind, address, { owner: by });
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask(path, body, by, kind)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const operations = answers.map((answer) => answer.body["operationId"]);
      expect(new Set(operations).size).toBe(1);
      expect(await readNonce(by, "WALLET")).toBe(nonce + 1n);
      expect(await listSigners(by)).toEqual(kind === "authorize" ? [address] : []);
      settle();
    }
  });

  it("applies one of two wallets' changes at once with one Idempotency-Key and refuses the other", async () => {
    const [one, two] = [await makeRelayedOwner(), await makeRelayedOwner()];
    const { address } = (await makeSandboxWallet()).wallet;
    // One builder submits for both.
    const owners = [one, { ...two, builder: one.builder }];
    const bodies = await Promise.all(owners.map((by) => sign("authorize", address, { owner: by })));
    const answers = await Promise.all(
      owners.map((by, index) => ask(AUTHORIZE, bodies[index] ?? {}, by, "shared")),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    for (const [index, by] of owners.entries()) {
      const isApplied = answers[index]?.status === 200;
      expect(await readNonce(by, "WALLET")).toBe(isApplied ? 1n : 0n);
      expect(await listSigners(by)).toEqual(isApplied ? [address] : []);
    }
  });

  const REFUSED: [string, (by: RelayedOwner, address: string) => Promise<object>][] = [
    [
      "signed by the session key itself",
      (by, address) => sign("authorize", address, { owner: by, signer: session.wallet }),
    ],
    ["with another nonce", (by, address) => sign("authorize", address, { owner: by, nonce: 7n })],
    [
      "without a known scope",
      (by, address) => sign("authorize", address, { owner: by, scopes: ["WITHDRAW"] }),
    ],
    [
      "with ALL beside another scope",
      (by, address) => sign("authorize", address, { owner: by, scopes: ["ALL", "CLOB"] }),
    ],
    [
      "that is already over",
      (by, address) => sign("authorize", address, { owner: by, validUntil: inDays(-1) }),
    ],
    [
      "for more than 180 days",
      (by, address) => sign("authorize", address, { owner: by, validUntil: inDays(181) }),
    ],
    [
      "with another end than the signed one",
      async (by, address) => ({
        ...(await sign("authorize", address, { owner: by })),
        validUntil: String(inDays(2)),
      }),
    ],
    [
      "with another key than the signed one",
      async (by, address) => ({
        ...(await sign("authorize", address, { owner: by })),
        sessionSignerAddress: other.wallet.address,
      }),
    ],
    ["with the signature of a revocation", (by, address) => sign("revoke", address, { owner: by })],
  ];

  it.each(REFUSED)("refuses an authorization %s and changes nothing", async (_, build) => {
    const by = await makeRelayedOwner();
    const body = await build(by, session.wallet.address);
    const before = await databaseState();
    expect((await ask(AUTHORIZE, body, by)).status).toBe(400);
    expect(await databaseState()).toEqual(before);
    expect(await listSigners(by)).toEqual([]);
  });

  it("lists at most 15 keys of a wallet", async () => {
    const by = await makeRelayedOwner();
    const own = deriveRelayedWallet(by, "WALLET");
    for (let count = 0; count < 15; count += 1) {
      const { address } = Wallet.createRandom();
      await putSandboxSessionKey(await getDb(), {
        wallet: own,
        address,
        scopes: ["CLOB"],
        expiresAt: new Date(now() - DAY_MS),
        authorizedAt: new Date(now()),
      });
    }
    const body = await sign("authorize", session.wallet.address, { owner: by });
    expect(await ask(AUTHORIZE, body, by)).toMatchObject({ status: 400 });
    expect(await listSigners(by)).not.toContain(session.wallet.address);
  });

  it("requires a builder's key", async () => {
    const by = await makeRelayedOwner();
    const body = await sign("authorize", session.wallet.address, { owner: by });
    const builder = { ...by.builder, secret: "d3Jvbmc=" };
    expect((await ask(AUTHORIZE, body, { ...by, builder })).status).toBe(401);
    expect(await listSigners(by)).toEqual([]);
  });
});

describe("GET /v1/user/session-signers", () => {
  it("lists the wallet's keys for its owner, without revoked ones", async () => {
    const [fresh, revoked] = [await makeSandboxWallet(), await makeSandboxWallet()];
    const expiresAt = new Date(Math.floor(now() / 1_000) * 1_000 + DAY_MS);
    await authorize(fresh, { scopes: ["ALL"], expiresAt });
    await authorize(revoked);
    await revokeSessionKey(wallet, revoked.wallet.address);
    const listed = await listSessionSigners(owner.caller);
    expect(listed.wallet).toBe(wallet);
    expect(listed.signers).toContainEqual({
      address: fresh.wallet.address,
      scopes: ["ALL"],
      valid_until: expiresAt.getTime() / 1_000,
    });
    expect(listed.signers.map(({ address }) => address)).not.toContain(revoked.wallet.address);
  });

  it("refuses session keys and lists nothing for an owner without any", async () => {
    await expect(listSessionSigners(session.caller)).rejects.toMatchObject({ status: 403 });
    const { caller } = await makeSandboxWallet();
    expect(await listSessionSigners(caller)).toEqual({
      wallet: deriveDepositWallet(caller.owner),
      signers: [],
    });
  });
});
