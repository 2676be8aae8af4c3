import "server-only";
import { liveWalletContext } from "@/lib/custody/contexts";
import { withSecret } from "@/lib/custody/seal";
import type { LiveWalletRow } from "@/lib/db/queries/live-wallets";
import { AppError } from "@/lib/errors";

/**
 * Opens a secret of a live wallet while `use` runs, then wipes it. Throws SIGNER_UNAVAILABLE if the
 * secret cannot be opened.
 */
export async function withLiveSecret<T>(
  wallet: LiveWalletRow,
  secret: "key" | "credentials",
  use: (bytes: Buffer) => Promise<T>,
): Promise<T> {
  const sealed = secret === "key" ? wallet.sealedKey : (wallet.sealedCredentials ?? "");
  let isOpen = false;
  try {
    return await withSecret(sealed, liveWalletContext(wallet, secret), (bytes) => {
      isOpen = true;
      return use(bytes);
    });
  } catch (error) {
    if (isOpen || error instanceof AppError) throw error;
    const message =
      "The stored key of this wallet cannot be decrypted. Contact the operator of this service.";
    throw new AppError("SIGNER_UNAVAILABLE", message, { cause: error });
  }
}
