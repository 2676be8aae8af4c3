import "server-only";
import { getDb, withTransaction } from "@/lib/db/client";
import { selectDepositAmount } from "@/lib/db/queries/deposits";
import { lockOwner } from "@/lib/db/queries/wallets";
import { AppError } from "@/lib/errors";
import { available, external, lockAccounts, USDC } from "@/lib/ledger/accounts";
import type { Cause } from "@/lib/ledger/account-log";
import { readCash } from "@/lib/ledger/read-balances";
import { postNamedDeposit } from "@/lib/accounts/deposit";
import { formatMicro, formatUsdc, parseMicro, type Usdc, usdc } from "@/lib/units";

/** The largest single deposit. */
export const MAX_DEPOSIT = usdc(1_000_000_000_000n);
/** The most cash of an account. Winnings on that much still fit every figure. */
const MAX_CASH = usdc(100_000_000_000_000n);
const CENT = 10_000n;
const KEY = /^[0-9a-zA-Z_-]{16,64}$/;

/**
 * Adds paper money to a user's account, once per key. Throws IDEMPOTENCY_KEY_REUSED for a known key
 * with a different amount.
 */
export async function depositOnce(
  userId: string,
  key: string,
  amount: Usdc,
  cause?: Cause,
): Promise<void> {
  requireFormKey(key);
  await withTransaction(async (tx) => {
    const owner = await lockOwner(tx, userId);
    if (!owner) throw new AppError("WALLET_NOT_FOUND", "This account has no wallet.");
    // The locks serialize the deposits of one user.
    await lockAccounts(tx, [available(owner, USDC), external(owner)]);
    const id = depositId(userId, key);
    const earlier = await selectDepositAmount(tx, id);
    if (earlier === amount) return;
    if (earlier !== null) {
      throw new AppError(
        "IDEMPOTENCY_KEY_REUSED",
        `This form has already added ${formatUsdc(earlier)} USDC. Reload the page to add more.`,
      );
    }
    const { owned } = await readCash(tx, owner);
    if (owned + amount > MAX_CASH) {
      throw fieldError(`An account can hold at most ${formatUsdc(MAX_CASH)} USDC in cash.`);
    }
    await postNamedDeposit(tx, owner, { id, amount }, cause);
  });
}

/** Throws VALIDATION_ERROR unless a form's key has the format of our keys. */
export function requireFormKey(key: string): void {
  if (!KEY.test(key))
    throw new AppError("VALIDATION_ERROR", "This form is out of date. Reload the page.");
}

/** Returns the amount of the user's deposit with this key, or null. */
export async function findDeposit(userId: string, key: string): Promise<Usdc | null> {
  return KEY.test(key) ? selectDepositAmount(await getDb(), depositId(userId, key)) : null;
}

/** Parses an amount in whole cents, such as "1,000" or "$250.50". Throws VALIDATION_ERROR for the field "amount". */
export function parseDepositAmount(text: string): Usdc {
  const written = text.trim().replace(/^\$\s*/, "");
  const isGrouped = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(written);
  const parsed = parseMicro(isGrouped ? written.replaceAll(",", "") : written);
  const isFinerThanCents = parsed.ok
    ? parsed.micro % CENT !== 0n
    : parsed.reason === "too_many_decimals";
  if (isFinerThanCents) throw fieldError("Use at most 2 decimals, like 250.50.");
  if (!parsed.ok) throw fieldError("Enter an amount, like 250 or 1,000.50.");
  if (parsed.micro <= 0n) throw fieldError("Enter an amount above 0.");
  if (parsed.micro > MAX_DEPOSIT) {
    throw fieldError(`The maximum deposit is $${formatGrouped(MAX_DEPOSIT)}.`);
  }
  return usdc(parsed.micro);
}

/** Includes the user, so that a key can't match another user's deposit. */
const depositId = (userId: string, key: string) => `deposit/${userId}/${key}`;

const fieldError = (message: string) =>
  new AppError("VALIDATION_ERROR", message, { field: "amount" });

const formatGrouped = (whole: Usdc) => formatMicro(whole).replaceAll(/\B(?=(\d{3})+$)/g, ",");
