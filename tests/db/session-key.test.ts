import { Wallet } from "ethers";
import { signRecoverable } from "tiny-secp256k1";
import { afterEach, describe, expect, it, vi } from "vitest";
import { importLiveWallet } from "@/lib/accounts/change-live-wallet";
import { setClock } from "@/lib/clock";
import { announceKeyEnds } from "@/lib/accounts/announce-key-ends";
import { findEndingKey, getLiveWallet } from "@/lib/accounts/get-live-wallet";
import { signClobAuth, signOrder } from "@/lib/custody/signer";
import { rotateKeys } from "@/lib/custody/rotate-keys";
import type { SessionKeyEntry, WalletImport } from "@/lib/custody/seal-live-wallet";
import { openTrader } from "@/lib/custody/trader";
import { getDb } from "@/lib/db/client";
import {
  type LiveWalletRow,
  putLiveWallet,
  selectLiveWallet,
  selectLiveWallets,
} from "@/lib/db/queries/live-wallets";
import type { SessionScope } from "@/lib/domain/session-key";
import { listEvents } from "@/lib/events/list-events";
import { listNotifications } from "@/lib/notifications/list-notifications";
import { getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import type { OrderStruct } from "@/lib/polymarket/protocol/order-hash";
import { recoverOwner, recoverSession } from "@/lib/polymarket/protocol/order-signature";
import { changes, restoreEnv } from "@/tests/support/custody/environment";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { buildOrder, createOwner, type Owner, storeWallet } from "@/tests/support/live/wallets";
import { makeUser } from "@/tests/support/users";

vi.mock("tiny-secp256k1", async (importOriginal) =>
  (await import("@/tests/support/custody/signatures")).countedSignatures(importOriginal),
);
vi.mock("@/lib/env", async (importOriginal) =>
  (await import("@/tests/support/custody/environment")).changedEnv(importOriginal),
);
useFreshDatabase();
restoreEnv();
let restoreClock = () => {};
afterEach(() => {
  restoreClock();
  vi.restoreAllMocks();
});

const START = Date.UTC(2026, 10, 25, 12);
const DAY_MS = 86_400_000;
const END = new Date(START + 30 * DAY_MS);
const DOMAIN = getExchangeDomain(137, "ctf");

const at = (instant: number) => {
  restoreClock();
  restoreClock = setClock(() => instant);
};

/** An owner of a deposit wallet, and a session key of the wallet. */
function createSession(): { owner: Owner; session: Owner; wallet: string } {
  const [owner, session] = [createOwner(), createOwner()];
  return { owner, session, wallet: owner.funders[3] };
}

const createInput = (
  { session, wallet }: ReturnType<typeof createSession>,
  change: Partial<SessionKeyEntry> = {},
): WalletImport => ({
  privateKey: session.privateKey,
  funder: wallet,
  signatureType: "3",
  sessionKey: { scopes: "CLOB", expiresAt: END.toISOString(), ...change },
});

/** Imports a new session key, which expires in 30 days. */
async function importSession() {
  at(START);
  const { userId } = await makeUser();
  const created = createSession();
  await importLiveWallet(userId, createInput(created));
  return { ...created, userId };
}

const readRow = async (userId: string): Promise<LiveWalletRow> => {
  const row = await selectLiveWallet(await getDb(), userId);
  if (!row) throw new Error("the wallet is stored");
  return row;
};

/** An order of the session key's deposit wallet. */
const createOrder = (owner: Owner): OrderStruct => buildOrder(owner, 3);

describe("importing a session key", () => {
  it("stores it sealed, with its scope and its end", async () => {
    const { userId, session, wallet } = await importSession();
    const sessionKey = { scopes: ["CLOB"], expiresAt: END };
    const row = await readRow(userId);
    expect(row).toMatchObject({
      address: session.address,
      funderAddress: wallet,
      signatureType: 3,
      sessionScopes: ["CLOB"],
      sessionExpiresAt: END,
      sessionNotice: null,
    });
    expect(JSON.stringify(row)).not.toContain(session.privateKey.slice(2));
    expect(await openTrader(userId)).toMatchObject({ address: session.address, sessionKey });
    expect(await getLiveWallet(userId)).toMatchObject({ funderAddress: wallet, sessionKey });
  });

  it.each([
    ["2026-12-25", "2026-12-25T00:00:00.000Z"],
    ["2026-12-25T10:30Z", "2026-12-25T10:30:00.000Z"],
    ["2026-12-25T10:30:15.500+02:00", "2026-12-25T08:30:15.000Z"],
    [" 1798200000 ", "2026-12-25T12:00:00.000Z"],
    // 180 days, as the official clients authorize it.
    [String(START / 1_000 + 15_534_000), "2027-05-24T07:00:00.000Z"],
  ])("reads the end %j as %s", async (expiresAt, expected) => {
    at(START);
    const { userId } = await makeUser();
    const imported = await importLiveWallet(userId, createInput(createSession(), { expiresAt }));
    expect(imported.sessionKey?.expiresAt.toISOString()).toBe(expected);
  });

  it.each([
    ["CLOB", ["CLOB"]],
    ["ALL", ["ALL"]],
    ["COMBOSRFQ, CLOB", ["COMBOSRFQ", "CLOB"]],
  ])("accepts the scope %s", async (scopes, expected) => {
    at(START);
    const { userId } = await makeUser();
    const imported = await importLiveWallet(userId, createInput(createSession(), { scopes }));
    expect(imported.sessionKey?.scopes).toEqual(expected);
  });

  const created = createSession();
  const REFUSED: [string, Partial<WalletImport>, string][] = [
    ["the owner's key of the wallet", { privateKey: created.owner.privateKey }, "secretKey"],
    ["its own address as the wallet", { funder: created.session.address }, "secretKey"],
    ["no wallet", { funder: "" }, "funder"],
    ["a Safe", { signatureType: "2" }, "signatureType"],
    ["no key", { privateKey: "" }, "secretKey"],
    ...(
      [
        ["an end in the past", { expiresAt: new Date(START).toISOString() }, "expiresAt"],
        ["no end", { expiresAt: "" }, "expiresAt"],
        ["words as its end", { expiresAt: "next year" }, "expiresAt"],
        ["a day that doesn't exist", { expiresAt: "2026-13-01" }, "expiresAt"],
        ["an end in more than 180 days", { expiresAt: "2027-05-26" }, "expiresAt"],
        ["milliseconds as its end", { expiresAt: String(END.getTime()) }, "expiresAt"],
        ["no scope", { scopes: "" }, "scopes"],
        ["an unknown scope", { scopes: "CLOB,WITHDRAW" }, "scopes"],
        ["a scope without orders", { scopes: "COMBOSRFQ" }, "scopes"],
      ] as const
    ).map(([what, change, field]): [string, Partial<WalletImport>, string] => {
      const { sessionKey } = createInput(created, change);
      return [what, sessionKey ? { sessionKey } : {}, field];
    }),
  ];

  it.each(REFUSED)("rejects %s and changes nothing", async (_what, change, field) => {
    at(START);
    const { userId } = await makeUser();
    const before = await selectLiveWallets(await getDb(), "", 1_000);
    const wrong = { ...createInput(created), ...change };
    const failure: unknown = await importLiveWallet(userId, wrong).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "VALIDATION_ERROR", field });
    expect(JSON.stringify(failure)).not.toContain(created.session.privateKey.slice(2));
    expect(await selectLiveWallets(await getDb(), "", 1_000)).toEqual(before);
  });

  it("of a later key replaces an expired one, and the announced end counts no more", async () => {
    const { userId, owner } = await importSession();
    at(END.getTime());
    await announceKeyEnds();
    const next = { owner, session: createOwner(), wallet: owner.funders[3] };
    const expiresAt = new Date(END.getTime() + 90 * DAY_MS).toISOString();
    await importLiveWallet(userId, createInput(next, { expiresAt }));
    expect(await readRow(userId)).toMatchObject({ sessionNotice: null });
    const trader = await openTrader(userId);
    await expect(trader?.signOrder(createOrder(owner), "ctf")).resolves.toMatch(/^0x/);
  });
});

describe("a session key", () => {
  it("signs orders of its deposit wallet in the envelope", async () => {
    const { userId, owner, session } = await importSession();
    const order = createOrder(owner);
    const signature = await (await openTrader(userId))?.signOrder(order, "ctf");
    expect(recoverSession(order, DOMAIN, signature ?? "")).toBe(session.address);
    expect(recoverOwner(order, DOMAIN, signature ?? "")).toBeNull();
  });

  it("proves its own address for credentials, not that of the owner", async () => {
    const { userId, session } = await importSession();
    const timestamp = String(Math.floor(START / 1_000));
    const proof = await signClobAuth(userId, { timestamp, nonce: "0" });
    expect(proof.address).toBe(session.address);
  });

  it("signs nothing for another wallet, type or builder", async () => {
    const { userId, owner, session } = await importSession();
    const trader = await openTrader(userId);
    const signed = vi.mocked(signRecoverable).mockClear();
    const order = createOrder(owner);
    const other = createOwner();
    const wrong: OrderStruct[] = [
      buildOrder(other, 3),
      buildOrder(session, 3),
      buildOrder(session, 0),
      { ...order, signer: session.address },
      { ...order, signer: owner.address },
      { ...order, maker: owner.address },
      { ...order, signatureType: 2 },
      { ...order, builder: `0x${"1".repeat(64)}` },
      { ...order, metadata: `0x${"1".repeat(64)}` },
    ];
    for (const each of wrong) {
      await expect(trader?.signOrder(each, "ctf")).rejects.toThrow("the signer refuses");
    }
    expect(signed).not.toHaveBeenCalled();
    await trader?.signOrder(order, "ctf");
    expect(signed).toHaveBeenCalledTimes(1);
  });

  it("signs nothing from the moment of its end", async () => {
    const { userId, owner } = await importSession();
    const trader = await openTrader(userId);
    at(END.getTime() - 1);
    const signed = vi.mocked(signRecoverable).mockClear();
    await expect(trader?.signOrder(createOrder(owner), "ctf")).resolves.toMatch(/^0x/);
    expect(signed).toHaveBeenCalledTimes(1);
    at(END.getTime());
    await expect(trader?.signOrder(createOrder(owner), "ctf")).rejects.toMatchObject({
      code: "SESSION_KEY_EXPIRED",
      status: 400,
      message: expect.stringContaining(END.toISOString()),
    });
    expect(signed).toHaveBeenCalledTimes(1);
  });

  it.each<[string, Partial<LiveWalletRow>, unknown]>([
    ["a later end", { sessionExpiresAt: new Date(END.getTime() + DAY_MS) }, "SIGNER_UNAVAILABLE"],
    ["no end", { sessionExpiresAt: null, sessionScopes: null }, "SIGNER_UNAVAILABLE"],
  ])("is not opened in a row that was changed to %s", async (_what, change, code) => {
    const { userId, owner } = await importSession();
    const [db, row] = [await getDb(), await readRow(userId)];
    await putLiveWallet(db, { ...row, ...change });
    const trader = await openTrader(userId);
    await expect(trader?.signOrder(createOrder(owner), "ctf")).rejects.toMatchObject({ code });
    await putLiveWallet(db, row);
  });

  it.each<SessionScope[][]>([[[]], [["COMBOSRFQ"]]])(
    "signs nothing with the scopes %j",
    async (scopes) => {
      at(START);
      const { userId } = await makeUser();
      const { owner, session, wallet } = createSession();
      const { address, privateKey } = session;
      const identity = { userId, address, funderAddress: wallet, signatureType: 3 } as const;
      const row = await storeWallet(identity, privateKey, { scopes, expiresAt: END });
      await expect(signOrder(row, createOrder(owner), "ctf")).rejects.toThrow(
        "the signer refuses: scope",
      );
    },
  );

  it("signs after keys:rotate", async () => {
    const { userId, owner } = await importSession();
    const old = process.env["KEY_ENCRYPTION_KEYS"];
    changes.KEY_ENCRYPTION_KEYS = `${old},next:${Buffer.alloc(32, 5).toString("base64")}`;
    await rotateKeys("next");
    const trader = await openTrader(userId);
    await expect(trader?.signOrder(createOrder(owner), "ctf")).resolves.toMatch(/^0x/);
    await rotateKeys(String(old).split(":")[0] ?? "");
  });
});

describe("the end of a session key", () => {
  const readTypes = async (userId: string) =>
    (
      await listEvents(
        { userId, mode: "live" },
        { types: ["wallet.key_expiring", "wallet.key_expired"] },
      )
    ).events.map(({ type }) => type);

  it("is announced once 7 days before, and once when it is reached", async () => {
    const { userId } = await importSession();
    const warnAt = END.getTime() - 7 * DAY_MS;
    at(warnAt - 1);
    await announceKeyEnds();
    expect(await readTypes(userId)).toEqual([]);
    expect(await findEndingKey(userId)).toBeNull();
    at(warnAt);
    await Promise.all([announceKeyEnds(), announceKeyEnds()]);
    await announceKeyEnds();
    expect(await readTypes(userId)).toEqual(["wallet.key_expiring"]);
    expect(await findEndingKey(userId)).toEqual({ state: "expiring", expiresAt: END });
    at(END.getTime());
    await Promise.all([announceKeyEnds(), announceKeyEnds()]);
    await announceKeyEnds();
    expect(await readTypes(userId)).toEqual(["wallet.key_expiring", "wallet.key_expired"]);
    expect(await findEndingKey(userId)).toEqual({ state: "expired", expiresAt: END });
  });

  it("is a notification that leads to the wallet", async () => {
    const { userId } = await importSession();
    at(END.getTime() - DAY_MS);
    await announceKeyEnds();
    const { notifications } = await listNotifications({ userId, mode: "live" }, 10);
    expect(notifications).toEqual([
      expect.objectContaining({
        title: "Session key expires soon",
        text: "New orders are refused after 2026-12-25 12:00 UTC. Import a new session key before.",
        href: "/wallet/live",
        isUnread: true,
      }),
    ]);
  });

  it("is not announced for an owner's key", async () => {
    at(START);
    const { userId } = await makeUser();
    const owner = createOwner();
    const { privateKey, funders } = owner;
    await importLiveWallet(userId, { privateKey, funder: funders[3], signatureType: "3" });
    at(END.getTime());
    await announceKeyEnds();
    expect(await readTypes(userId)).toEqual([]);
    expect(await findEndingKey(userId)).toBeNull();
    expect(new Wallet(privateKey).address).toBe(owner.address);
  });
});
