import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { checkCustody } from "@/lib/custody/check-custody";
import { ensureCredentials } from "@/lib/custody/credentials";
import { rotateKeys } from "@/lib/custody/rotate-keys";
import { parseKeyName } from "@/lib/custody/seal";
import type { WalletImport } from "@/lib/custody/seal-live-wallet";
import type { OwnershipProof } from "@/lib/venue/trader";
import { openTrader } from "@/lib/custody/trader";
import { getDb } from "@/lib/db/client";
import {
  deleteLiveWallet,
  type LiveWalletRow,
  putLiveWallet,
  selectLiveWallet,
  selectLiveWallets,
} from "@/lib/db/queries/live-wallets";
import { log } from "@/lib/log";
import { isClobAuthGenuine } from "@/lib/polymarket/protocol/clob-auth";
import { deriveDepositWallets } from "@/lib/polymarket/protocol/wallets";
import type { SignatureType } from "@/lib/polymarket/protocol/order-hash";
import { getLiveWallet } from "@/lib/accounts/get-live-wallet";
import { importLiveWallet, removeLiveWallet } from "@/lib/accounts/change-live-wallet";
import { changes, restoreEnv } from "@/tests/support/custody/environment";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { insertLiveOrder, createOwner, type Owner } from "@/tests/support/live/wallets";
import { makeUser } from "@/tests/support/users";

vi.mock("@/lib/env", async (importOriginal) =>
  (await import("@/tests/support/custody/environment")).changedEnv(importOriginal),
);
useFreshDatabase();
restoreEnv();

const TYPES: SignatureType[] = [0, 1, 2, 3];
const CREDENTIALS = { key: "9180014b-33c8", secret: "c2VjcmV0LXNlY3JldA==", passphrase: "0af1" };

const createInput = ({ privateKey, funders }: Owner, type: SignatureType = 3): WalletImport => ({
  privateKey,
  funder: funders[type],
  signatureType: String(type),
});
/** Inverts the case of an address, which breaks its checksum. */
const swapCases = (address: string) =>
  address.replaceAll(/(?<!^0)[a-zA-Z]/g, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
const stored = async () => selectLiveWallets(await getDb(), "", 1_000);
const readRow = async (userId: string): Promise<LiveWalletRow> => {
  const row = await selectLiveWallet(await getDb(), userId);
  if (!row) throw new Error("the wallet is stored");
  return row;
};

describe("importing a wallet", () => {
  it.each(TYPES)("of type %i stores it sealed and returns only its addresses", async (type) => {
    const { userId } = await makeUser();
    const owner = createOwner();
    const answer = await importLiveWallet(userId, createInput(owner, type));
    const { address, funders } = owner;
    expect(answer).toEqual({ address, funderAddress: funders[type], sessionKey: null });
    const row = await readRow(userId);
    expect(row).toMatchObject({ userId, signatureType: type, sealedCredentials: null });
    expect(JSON.stringify(row)).not.toContain(owner.privateKey.slice(2));
    expect(await openTrader(userId)).toMatchObject({ ...answer, credentials: null });
  });

  it.runIf(process.env["TEST_DATABASE"] === "embedded")(
    "rejects the demo account, in which every visitor can trade (embedded only)",
    async () => {
      const { userId } = await makeUser();
      changes.DATA_DIR = mkdtempSync(join(tmpdir(), "ante-demo-"));
      writeFileSync(join(changes.DATA_DIR, "demo.json"), JSON.stringify({ userId }));
      const importing = importLiveWallet(userId, createInput(createOwner()));
      await expect(importing).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
      expect(await selectLiveWallet(await getDb(), userId)).toBeNull();
      rmSync(changes.DATA_DIR, { recursive: true });
    },
  );

  it("accepts keys with and without prefix and whitespace, and the older deposit wallets", async () => {
    const owner = createOwner();
    const [, older = ""] = deriveDepositWallets(owner.address);
    const { userId } = await makeUser();
    const privateKey = ` ${owner.privateKey.slice(2).toUpperCase()}\n`;
    const input = { privateKey, funder: older.toLowerCase(), signatureType: "3" };
    expect(await importLiveWallet(userId, input)).toEqual({
      address: owner.address,
      funderAddress: older,
      sessionKey: null,
    });
  });

  const owner = createOwner();
  const input = createInput(owner);
  const REFUSED: [string, Partial<WalletImport>, string][] = [
    ["no key", { privateKey: "" }, "secretKey"],
    ["a short key", { privateKey: owner.privateKey.slice(0, -1) }, "secretKey"],
    ["words", { privateKey: "test test test junk" }, "secretKey"],
    ["zero as a key", { privateKey: "0".repeat(64) }, "secretKey"],
    ["a key beyond the curve", { privateKey: "f".repeat(64) }, "secretKey"],
    ["no funder", { funder: "" }, "funder"],
    ["a funder with a wrong checksum", { funder: swapCases(input.funder) }, "funder"],
    ["another owner's funder", { funder: createOwner().funders[3] }, "funder"],
    ["the funder of another type", { funder: owner.funders[2] }, "funder"],
    ["the owner as a deposit wallet", { funder: owner.address }, "funder"],
    ["an unknown type", { signatureType: "4" }, "signatureType"],
    ["no type", { signatureType: "" }, "signatureType"],
  ];

  it.each(REFUSED)(
    "rejects %s with its field name and changes nothing",
    async (_what, change, field) => {
      const { userId } = await makeUser();
      const before = await stored();
      const wrong = { ...input, ...change };
      const failure: unknown = await importLiveWallet(userId, wrong).catch(
        (error: unknown) => error,
      );
      expect(failure).toMatchObject({ code: "VALIDATION_ERROR", field });
      expect(JSON.stringify(failure)).not.toContain(owner.privateKey.slice(2));
      expect(await stored()).toEqual(before);
    },
  );

  it("rejects a wallet of another user, even in concurrent imports", async () => {
    const [mine, theirs] = [await makeUser(), await makeUser()];
    const wanted = createInput(createOwner());
    const results = await Promise.allSettled([
      importLiveWallet(mine.userId, wanted),
      importLiveWallet(theirs.userId, { ...wanted }),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const refused = results.find(({ status }) => status === "rejected");
    expect(refused).toMatchObject({ reason: { code: "VALIDATION_ERROR", field: "secretKey" } });
  });

  it("rejects an unknown user", async () => {
    const before = await stored();
    const importing = importLiveWallet("usr_nobody", createInput(createOwner()));
    await expect(importing).rejects.toMatchObject({ code: "WALLET_NOT_FOUND" });
    expect(await stored()).toEqual(before);
  });

  it("replaces the user's own wallet and forgets the credentials of the former", async () => {
    const { userId } = await makeUser();
    await importLiveWallet(userId, createInput(createOwner()));
    await ensureCredentials(userId, async () => CREDENTIALS);
    const next = createOwner();
    await importLiveWallet(userId, createInput(next, 2));
    const trader = await openTrader(userId);
    expect(trader).toMatchObject({ address: next.address, signatureType: 2, credentials: null });
  });

  it("logs the user and nothing else", async () => {
    const spy = vi.spyOn(log, "info");
    const { userId } = await makeUser();
    await importLiveWallet(userId, createInput(createOwner()));
    expect(spy.mock.calls).toEqual([["live wallet imported", { userId }]]);
    spy.mockRestore();
  });
});

describe.each(["pending", "submitting", "delayed", "open", "unknown"] as const)(
  "while a live order is %s",
  (status) => {
    it("its wallet is neither replaced nor removed", async () => {
      const { userId } = await makeUser();
      await importLiveWallet(userId, createInput(createOwner()));
      await insertLiveOrder(userId, status);
      const before = await readRow(userId);
      const message = /^1 live order is not settled yet/;
      await expect(importLiveWallet(userId, createInput(createOwner()))).rejects.toThrow(message);
      await expect(removeLiveWallet(userId)).rejects.toThrow(message);
      expect(await readRow(userId)).toEqual(before);
      expect(await getLiveWallet(userId)).toMatchObject({ unsettledOrders: 1 });
    });
  },
);

describe("removing a wallet", () => {
  it("deletes the row with its key and credentials, even with settled orders", async () => {
    const { userId } = await makeUser();
    await importLiveWallet(userId, createInput(createOwner()));
    await ensureCredentials(userId, async () => CREDENTIALS);
    for (const status of ["filled", "canceled", "rejected", "abandoned"] as const) {
      await insertLiveOrder(userId, status);
    }
    await removeLiveWallet(userId);
    expect(await selectLiveWallet(await getDb(), userId)).toBeNull();
    expect(await openTrader(userId)).toBeNull();
    expect(await getLiveWallet(userId)).toBeNull();
    await expect(removeLiveWallet(userId)).rejects.toMatchObject({ code: "WALLET_NOT_FOUND" });
  });

  it("leaves other users' wallets", async () => {
    const [mine, theirs] = [await makeUser(), await makeUser()];
    await importLiveWallet(mine.userId, createInput(createOwner()));
    await importLiveWallet(theirs.userId, createInput(createOwner()));
    const before = await readRow(theirs.userId);
    await removeLiveWallet(mine.userId);
    expect(await readRow(theirs.userId)).toEqual(before);
  });
});

describe("credentials", () => {
  it("are requested once with the owner's proof and stored sealed", async () => {
    const owner = createOwner();
    const { userId } = await makeUser();
    await importLiveWallet(userId, createInput(owner));
    const obtain = vi.fn(async (_proof: OwnershipProof) => CREDENTIALS);
    expect(await ensureCredentials(userId, obtain)).toEqual(CREDENTIALS);
    expect(await ensureCredentials(userId, obtain)).toEqual(CREDENTIALS);
    expect(obtain).toHaveBeenCalledTimes(1);
    const [proof] = obtain.mock.calls[0] ?? [];
    if (!proof) throw new Error("the venue was asked");
    const { signature, ...claim } = proof;
    expect(claim.address).toBe(owner.address);
    expect(isClobAuthGenuine(claim, 137, signature)).toBe(true);
    const { sealedCredentials } = await readRow(userId);
    for (const part of Object.values(CREDENTIALS)) expect(sealedCredentials).not.toContain(part);
    expect(await openTrader(userId)).toMatchObject({ credentials: CREDENTIALS });
    expect(await getLiveWallet(userId)).toMatchObject({ hasCredentials: true });
  });

  it("are not stored if the venue returns none or an invalid response", async () => {
    const { userId } = await makeUser();
    await importLiveWallet(userId, createInput(createOwner()));
    const before = await readRow(userId);
    const nothing = ensureCredentials(userId, async () => {
      throw new Error("the venue is away");
    });
    await expect(nothing).rejects.toThrow("the venue is away");
    const half = ensureCredentials(userId, async () => ({ ...CREDENTIALS, secret: "" }));
    await expect(half).rejects.toThrow();
    expect(await readRow(userId)).toEqual(before);
  });

  it.each([
    ["another owner's", () => createInput(createOwner())],
    ["another one of its owner", (owner: Owner) => createInput(owner, 1)],
  ])(
    "of a wallet that was replaced by %s meanwhile are not given to the new one",
    async (_name, next) => {
      const [{ userId }, owner] = [await makeUser(), createOwner()];
      await importLiveWallet(userId, createInput(owner));
      await ensureCredentials(userId, async () => {
        await importLiveWallet(userId, next(owner));
        return CREDENTIALS;
      });
      expect((await readRow(userId)).sealedCredentials).toBeNull();
      expect(await openTrader(userId)).toMatchObject({ credentials: null });
    },
  );

  it("cannot be opened in place of the key or in another user's row", async () => {
    const [mine, theirs] = [await makeUser(), await makeUser()];
    for (const { userId } of [mine, theirs]) {
      await importLiveWallet(userId, createInput(createOwner()));
      await ensureCredentials(userId, async () => CREDENTIALS);
    }
    const db = await getDb();
    const [row, other] = [await readRow(mine.userId), await readRow(theirs.userId)];
    for (const sealedCredentials of [row.sealedKey, other.sealedCredentials]) {
      await putLiveWallet(db, { ...row, sealedCredentials });
      const opening = openTrader(mine.userId);
      await expect(opening).rejects.toMatchObject({ code: "SIGNER_UNAVAILABLE" });
    }
    await putLiveWallet(db, row);
  });
});

describe("keys:rotate", () => {
  it("covers paper wallets, and the keys and credentials of live ones", async () => {
    const { userId } = await makeUser();
    await importLiveWallet(userId, createInput(createOwner()));
    await ensureCredentials(userId, async () => CREDENTIALS);
    const old = process.env["KEY_ENCRYPTION_KEYS"];
    const fresh = `fresh:${Buffer.alloc(32, 9).toString("base64")}`;
    changes.KEY_ENCRYPTION_KEYS = `${fresh},${old}`;
    const { rewrapped } = await rotateKeys("fresh");
    expect(rewrapped).toBeGreaterThanOrEqual(3);
    expect(await rotateKeys("fresh")).toEqual({ rewrapped: 0, unchanged: rewrapped });
    changes.KEY_ENCRYPTION_KEYS = fresh;
    const row = await readRow(userId);
    expect(parseKeyName(row.sealedKey).keyId).toBe("fresh");
    expect(await openTrader(userId)).toMatchObject({ credentials: CREDENTIALS });
    changes.KEY_ENCRYPTION_KEYS = `${old},${fresh}`;
    await rotateKeys(String(old).split(":")[0] ?? "");
  });
});

describe("the check at start-up", () => {
  const live = () => {
    changes.VENUES = ["paper", "polymarket"];
    changes.ALLOW_EMBEDDED_DB_FOR_LIVE = true;
  };
  const made: string[] = [];
  afterEach(async () => {
    for (const userId of made.splice(0)) await deleteLiveWallet(await getDb(), userId);
  });

  it("requires nothing if only paper trading is on", async () => {
    changes.KEY_PROVIDER = "aws-kms";
    await expect(checkCustody()).resolves.toBeUndefined();
  });

  it("passes when everything is configured", async () => {
    live();
    await expect(checkCustody()).resolves.toBeUndefined();
  });

  it("requires a database that survives a power failure, or the operator's confirmation", async () => {
    live();
    changes.ALLOW_EMBEDDED_DB_FOR_LIVE = false;
    await expect(checkCustody()).rejects.toThrow(
      /^live trading cannot start: it needs DATABASE_URL.*ALLOW_EMBEDDED_DB_FOR_LIVE=1/,
    );
  });

  it("requires a working key provider", async () => {
    live();
    Object.assign(changes, {
      KEY_PROVIDER: "aws-kms",
      AWS_KMS_KEY_ID: "alias/ante",
      AWS_KMS_ENDPOINT: "http://127.0.0.1:9",
    });
    vi.stubEnv("AWS_REGION", "eu-central-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret-of-the-tests");
    await expect(checkCustody()).rejects.toThrow(
      /^live trading cannot start: the key provider aws-kms cannot be used \(AWS KMS: /,
    );
    vi.unstubAllEnvs();
  });

  it("requires that every stored key can be opened", async () => {
    live();
    const { userId } = await makeUser();
    made.push(userId);
    await importLiveWallet(userId, createInput(createOwner()));
    changes.KEY_ENCRYPTION_KEYS = `fresh:${Buffer.alloc(32, 9).toString("base64")}`;
    await expect(checkCustody()).rejects.toThrow(
      /is sealed under the environment key "test", which is not configured\. Restore that key/,
    );
  });

  it("detects a row that other software wrote", async () => {
    live();
    const { userId } = await makeUser();
    made.push(userId);
    await importLiveWallet(userId, createInput(createOwner()));
    await putLiveWallet(await getDb(), { ...(await readRow(userId)), sealedKey: "hunter2" });
    const check = checkCustody();
    await expect(check).rejects.toThrow(`the live wallet of ${userId} is not a sealed secret`);
    await expect(check).rejects.not.toThrow("hunter2");
  });
});
