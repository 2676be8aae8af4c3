import "server-only";
import { requireAccount } from "@/lib/accounts/require-account";
import type { Principal } from "@/lib/auth/principal";
import { getDb, withSnapshot } from "@/lib/db/client";
import { ExpiringCache } from "@/lib/expiring-cache";
import type { Owner } from "@/lib/ledger/accounts";
import { type AccountVerification, verifyAccount } from "@/lib/ledger/verify-account";
import { withoutStaleReads } from "@/lib/stale-reads";

/** A check reads all transfers of an account, so its result is reused for 15 seconds. */
const checks = new ExpiringCache<AccountVerification>({ max: 200, freshMs: 15_000 });

/** Recomputes the balances of the caller's own ledger accounts: at most 15 seconds late. */
export async function checkAccount(principal: Principal): Promise<AccountVerification> {
  return checkOwner(await requireAccount(await getDb(), principal));
}

/**
 * Like `checkAccount`, for one epoch. Don't call it inside of a transaction: callers share a check, and
 * the embedded database has one connection.
 */
export function checkOwner({ userId, epoch }: Owner): Promise<AccountVerification> {
  // The ledger is no venue: a slow check is no outage.
  return withoutStaleReads(() =>
    checks.get(`${userId}/${epoch}`, () =>
      withSnapshot((tx) => verifyAccount(tx, { userId, epoch })),
    ),
  );
}
