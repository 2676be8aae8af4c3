import "server-only";
import { hashPassword } from "@/lib/auth/password";
import type { Scope } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { insertUser } from "@/lib/db/queries/users";
import { UNLIMITED_ALLOWANCE } from "@/lib/db/queries/wallets";
import { newId } from "@/lib/ids";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import { createKey } from "@/lib/auth/create-key";
import { postDeposit } from "@/lib/accounts/deposit";
import { openAccountLog } from "@/lib/ledger/account-log";
import type { Usdc } from "@/lib/units";

const FIRST_EPOCH = 1;

export interface NewUser {
  email: string;
  password: string;
  /** Paper money to start with. */
  deposit: Usdc;
  /** A first API key, or null for none. */
  key: { name: string; scopes: readonly Scope[] } | null;
  /** Runs before the transaction commits. If it throws, the user is not created. */
  beforeCommit?: (user: CreatedUser) => void;
}

export interface CreatedUser {
  userId: string;
  email: string;
  address: string;
  funderAddress: string;
  apiKey: string | null;
}

/**
 * Creates a user with an EVM key pair, its deposit wallet, a paper account with a first deposit, and
 * the allowance that lets the paper exchange spend from it.
 */
export async function createUser(input: NewUser): Promise<CreatedUser> {
  // Imported lazily: the module is large, and only sign-up needs it.
  const { createWallet } = await import("@/lib/custody/create-wallet");
  const userId = newId("usr");
  const email = input.email.toLowerCase();
  const passwordHash = await hashPassword(input.password);
  const wallet = await createWallet(userId);
  const createdAt = new Date(now());
  return withTransaction(async (tx) => {
    await insertUser(
      tx,
      { id: userId, email, passwordHash, status: "active", epoch: FIRST_EPOCH, createdAt },
      { userId, ...wallet, allowance: UNLIMITED_ALLOWANCE, createdAt },
    );
    await recordSecurityEvent(tx, { userId, kind: "account_created" });
    await openAccountLog(tx, { userId, epoch: FIRST_EPOCH });
    await postDeposit(tx, { userId, epoch: FIRST_EPOCH }, input.deposit);
    const { address, funderAddress } = wallet;
    const apiKey = input.key && (await createFirstKey(tx, userId, input.key));
    const user = { userId, email, address, funderAddress, apiKey };
    input.beforeCommit?.(user);
    return user;
  });
}

async function createFirstKey(
  tx: Tx,
  userId: string,
  key: NonNullable<NewUser["key"]>,
): Promise<string> {
  const { apiKey } = await createKey(tx, { userId, mode: "paper", expiresAt: null, ...key });
  return apiKey;
}
