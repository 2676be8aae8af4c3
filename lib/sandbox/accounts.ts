import "server-only";
import { NO_PASSWORD } from "@/lib/auth/password";
import { now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import { isUniqueViolation } from "@/lib/db/errors";
import { insertUser, selectAccount } from "@/lib/db/queries/users";
import { UNLIMITED_ALLOWANCE } from "@/lib/db/queries/wallets";
import { SIGNATURE_TYPE, type SignatureType } from "@/lib/polymarket/order-hash";
import { depositWalletsOf, proxyWalletOf, safeWalletOf } from "@/lib/polymarket/wallets";
import { postDeposit } from "@/lib/services/paper/deposit";
import { WELCOME_DEPOSIT } from "@/lib/services/users/sign-up";

const FIRST_EPOCH = 1;
/** What the ids of the wallets' accounts begin with. */
export const ACCOUNT_PREFIX = "usr_sandbox_";

/** The paper account of a wallet: its money is the wallet's, whoever owns it. */
export const userIdOf = (wallet: string): string => `${ACCOUNT_PREFIX}${wallet.toLowerCase()}`;

/** The wallet behind such an account, in lower case; null for the account of a dashboard user. */
export function walletOfUser(userId: string): string | null {
  return userId.startsWith(ACCOUNT_PREFIX) ? userId.slice(ACCOUNT_PREFIX.length) : null;
}

/** Every wallet that an owner may trade from. */
export function walletsOf(owner: string): string[] {
  return [owner, proxyWalletOf(owner), safeWalletOf(owner), ...depositWalletsOf(owner)];
}

/** The wallet that an owner uses with a signature type. */
export function walletFor(owner: string, type: SignatureType): string {
  switch (type) {
    case SIGNATURE_TYPE.eoa:
      return owner;
    case SIGNATURE_TYPE.proxy:
      return proxyWalletOf(owner);
    case SIGNATURE_TYPE.safe:
      return safeWalletOf(owner);
    case SIGNATURE_TYPE.depositWallet:
      return depositWalletsOf(owner)[0] ?? owner;
  }
}

/** Opens the account of a wallet that was not seen before, with the usual paper money. */
export async function ensureAccount(wallet: string): Promise<string> {
  const userId = userIdOf(wallet);
  if (await selectAccount(await getDb(), userId)) return userId;
  try {
    await openAccount(userId, wallet);
  } catch (error) {
    // Another request saw the wallet first.
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
        // These accounts have no dashboard.
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
    await postDeposit(tx, { userId, epoch: FIRST_EPOCH }, WELCOME_DEPOSIT);
  });
}
