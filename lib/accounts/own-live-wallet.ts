import "server-only";
import {
  type ImportedWallet,
  importLiveWallet,
  removeLiveWallet,
} from "@/lib/accounts/change-live-wallet";
import type { Proof } from "@/lib/auth/second-factor/prove-factor";
import { requireFreshFactor } from "@/lib/auth/second-factor/require-fresh-factor";
import type { Session } from "@/lib/auth/session";
import { sealLiveWallet, type WalletImport } from "@/lib/custody/seal-live-wallet";

/**
 * Stores the live wallet of a signed-in user, with a fresh second factor. The entry is checked first,
 * because a code works once, and a typo in the private key must not use it up.
 */
export async function importOwnLiveWallet(
  session: Session,
  input: WalletImport,
  proof: Proof,
): Promise<ImportedWallet> {
  const { userId } = session.principal;
  await sealLiveWallet(userId, input);
  await requireFreshFactor(session, "import_wallet", proof);
  return importLiveWallet(userId, input, session.id);
}

/** Deletes the live wallet of a signed-in user, with a fresh second factor. */
export async function removeOwnLiveWallet(session: Session, proof: Proof): Promise<void> {
  await requireFreshFactor(session, "remove_wallet", proof);
  await removeLiveWallet(session.principal.userId, session.id);
}
