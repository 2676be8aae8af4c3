import "server-only";
import { requireAccount } from "@/lib/accounts/require-account";
import type { Principal } from "@/lib/auth/principal";
import { withSnapshot } from "@/lib/db/client";
import { type AccountVerification, verifyAccount } from "@/lib/ledger/verify-account";

/** Recomputes the balances of the caller's own ledger accounts. */
export function checkAccount(principal: Principal): Promise<AccountVerification> {
  return withSnapshot(async (tx) => verifyAccount(tx, await requireAccount(tx, principal)));
}
