import "server-only";
import { getDb, withTransaction } from "@/lib/db/client";
import { selectDepositAmount } from "@/lib/db/queries/deposits";
import { lockOwner } from "@/lib/db/queries/wallets";
import { AppError } from "@/lib/errors";
import { available, external, lockAccounts, USDC } from "@/lib/ledger/accounts";
import { readCash } from "@/lib/ledger/balances";
import { postNamedDeposit } from "@/lib/services/paper/deposit";
import { formatMicro, formatUsdc, parseMicro, type Usdc, usdc } from "@/lib/units";

/** The most of one deposit. */
export const MAX_DEPOSIT = usdc(1_000_000_000_000n);
/** The most an account may hold in cash; what it can win with that still fits every figure. */
const MAX_CASH = usdc(100_000_000_000_000n);
const KEY = /^[0-9a-zA-Z_-]{16,64}$/;

/**
 * Adds paper money to a user's account, once per key however often it is asked to. The same key with
 * another amount is refused.
 */
export async function depositOnce(userId: string, key: string, amount: Usdc): Promise<void> {
  if (!KEY.test(key)) throw new AppError("VALIDATION_ERROR", "This form is too old. Reload it.");
  await withTransaction(async (tx) => {
    const owner = await lockOwner(tx, userId);
    if (!owner) throw new AppError("WALLET_NOT_FOUND", "this user has no wallet");
    // From here on two deposits of one user come one after the other.
    await lockAccounts(tx, [available(owner, USDC), external(owner)]);
    const id = depositId(userId, key);
    const former = await selectDepositAmount(tx, id);
    if (former === amount) return;
    if (former !== null) {
      throw new AppError(
        "IDEMPOTENCY_KEY_REUSED",
        `This form has already added ${formatUsdc(former)} USDC. Reload the page to add more.`,
      );
    }
    const { owned } = await readCash(tx, owner);
    if (owned + amount > MAX_CASH) {
      throw fieldError(`An account can hold at most ${formatUsdc(MAX_CASH)} USDC in cash.`);
    }
    await postNamedDeposit(tx, owner, { id, amount });
  });
}

/** What a user's deposit of this key added; null if there was none. */
export async function findDeposit(userId: string, key: string): Promise<Usdc | null> {
  return KEY.test(key) ? selectDepositAmount(await getDb(), depositId(userId, key)) : null;
}

/** Reads an amount as people write it: "1,000", "$250.50". Throws for the field "amount". */
export function parseDepositAmount(text: string): Usdc {
  const written = text.trim().replace(/^\$\s*/, "");
  const isGrouped = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(written);
  const parsed = parseMicro(isGrouped ? written.replaceAll(",", "") : written);
  if (!parsed.ok) {
    throw fieldError(
      parsed.reason === "too_many_decimals"
        ? "At most 6 decimals, like 250.50."
        : "Enter an amount, like 250 or 1,000.50.",
    );
  }
  if (parsed.micro <= 0n) throw fieldError("Enter an amount above 0.");
  if (parsed.micro > MAX_DEPOSIT) {
    throw fieldError(`At most ${grouped(MAX_DEPOSIT)} USDC at once.`);
  }
  return usdc(parsed.micro);
}

/** The user is part of it, so that no key can reach another user's deposit. */
const depositId = (userId: string, key: string) => `deposit/${userId}/${key}`;

const fieldError = (message: string) =>
  new AppError("VALIDATION_ERROR", message, { field: "amount" });

const grouped = (whole: Usdc) => formatMicro(whole).replaceAll(/\B(?=(\d{3})+$)/g, ",");
