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
import { deriveDepositWallet } from "@/lib/polymarket/protocol/wallets";
import { readBalance } from "@/lib/sandbox/balance";
import { cancelByIds, cancelWhere } from "@/lib/sandbox/cancel-orders";
import { SandboxError } from "@/lib/sandbox/error";
import { readOrderPayload } from "@/lib/sandbox/order-payload";
import { findWireOrder, listWireOrders } from "@/lib/sandbox/orders";
import { placeSandboxOrder } from "@/lib/sandbox/place-order";
import { listSessionSigners, revokeSessionKey } from "@/lib/sandbox/session-keys";
import { openUserSession, UserFeed } from "@/lib/sandbox/stream/user-channel";
import { listWireTrades } from "@/lib/sandbox/trades";
import { complement, price, shares } from "@/lib/units";
import { databaseState } from "@/tests/support/api/state";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { findPriceInside, freshMarket, useTestClock } from "@/tests/support/exchange/orders";
import { Random } from "@/tests/support/random";
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
