import "server-only";
import { NO_PASSWORD } from "@/lib/auth/password";
import { now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import { openAccountLog } from "@/lib/ledger/account-log";
import { isUniqueViolation } from "@/lib/db/errors";
import { selectSessionWallets } from "@/lib/db/queries/sandbox-session-keys";
import { insertUser, selectAccount } from "@/lib/db/queries/users";
import { UNLIMITED_ALLOWANCE } from "@/lib/db/queries/wallets";
import { env } from "@/lib/env";
import { SIGNATURE_TYPE, type SignatureType } from "@/lib/polymarket/protocol/order-hash";
import {
  deriveDepositWallets,
  deriveProxyWallet,
  deriveSafeWallet,
} from "@/lib/polymarket/protocol/wallets";
import { postDeposit } from "@/lib/accounts/deposit";
import { WELCOME_DEPOSIT } from "@/lib/accounts/sign-up";

const FIRST_EPOCH = 1;
/** The prefix of sandbox accounts' user ids. */
export const ACCOUNT_PREFIX = "usr_sandbox_";

/** Returns the user id of a wallet's paper account. Accounts belong to wallets, not to owners. */
export const toUserId = (wallet: string): string => `${ACCOUNT_PREFIX}${wallet.toLowerCase()}`;

/** Returns the wallet of a sandbox account in lower case; null for a dashboard user's account. */
export function parseWallet(userId: string): string | null {
  return userId.startsWith(ACCOUNT_PREFIX) ? userId.slice(ACCOUNT_PREFIX.length) : null;
}

/** Derives every wallet that an owner may trade from. */
export function deriveWallets(owner: string): string[] {
  return [owner, deriveProxyWallet(owner), deriveSafeWallet(owner), ...deriveDepositWallets(owner)];
}

/**
 * Lists the user ids of every wallet that a caller may trade from: those that it owns, and those that
 * authorized it as a session key, whether or not they still do.
 */
export async function listAccountIds({ owner }: { owner: string }): Promise<string[]> {
  const wallets = await selectSessionWallets(await getDb(), owner);
  return [...deriveWallets(owner), ...wallets].map(toUserId);
}

/**
 * Finds the wallet that a caller uses with a signature type: for a session key, the deposit wallet that
 * authorized it last.
 */
export async function findWallet(caller: string, type: SignatureType): Promise<string> {
  const [wallet] =
    type === SIGNATURE_TYPE.depositWallet ? await selectSessionWallets(await getDb(), caller) : [];
  return wallet ?? deriveWallet(caller, type);
}

/** Derives the wallet that an owner uses with a signature type. */
export function deriveWallet(owner: string, type: SignatureType): string {
  switch (type) {
    case SIGNATURE_TYPE.eoa:
      return owner;
    case SIGNATURE_TYPE.proxy:
      return deriveProxyWallet(owner);
    case SIGNATURE_TYPE.safe:
      return deriveSafeWallet(owner);
    case SIGNATURE_TYPE.depositWallet:
      return deriveDepositWallets(owner)[0] ?? owner;
  }
}

/**
 * Finds a wallet's account. Without strict rules, opens it with the usual paper money; with them, only
 * the relayer does, when it deploys the wallet.
 *
 * @returns its user id; null for a wallet that is not deployed.
 */
export async function findAccount(wallet: string): Promise<string | null> {
  if (env().SANDBOX_RULES === "open") return ensureAccount(wallet);
  const userId = toUserId(wallet);
  return (await selectAccount(await getDb(), userId)) ? userId : null;
}

/** Opens a wallet's account with the usual paper money, unless it exists. Returns its user id. */
export async function ensureAccount(wallet: string): Promise<string> {
  const userId = toUserId(wallet);
  if (await selectAccount(await getDb(), userId)) return userId;
  try {
    await openAccount(userId, wallet);
  } catch (error) {
    // A concurrent request opened it first.
    if (!isUniqueViolation(error) || !(await selectAccount(await getDb(), userId))) throw error;
  }
  return userId;
}

async function openAccount(userId: string, wallet: string): Promise<void> {
  const createdAt = new Date(now());
  await withTransaction(async (tx) => {
    await insertUser(
      tx,
      {
        id: userId,
        email: `${wallet.toLowerCase()}@sandbox.invalid`,
        // Sandbox accounts cannot sign in to the dashboard.
        passwordHash: NO_PASSWORD,
        status: "active",
        epoch: FIRST_EPOCH,
        createdAt,
      },
      {
        userId,
        address: wallet,
        funderAddress: wallet,
        // The key stays with the wallet's owner.
        sealedKey: "",
        allowance: UNLIMITED_ALLOWANCE,
        createdAt,
      },
    );
    await openAccountLog(tx, { userId, epoch: FIRST_EPOCH });
    await postDeposit(tx, { userId, epoch: FIRST_EPOCH }, WELCOME_DEPOSIT);
  });
}
