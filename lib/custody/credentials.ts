import "server-only";
import { z } from "zod";
import { now } from "@/lib/clock";
import { liveWalletContext } from "@/lib/custody/contexts";
import { withLiveSecret } from "@/lib/custody/live-secret";
import { seal } from "@/lib/custody/seal";
import { signClobAuth } from "@/lib/custody/signer";
import { getDb } from "@/lib/db/client";
import {
  clearLiveCredentials,
  type LiveWalletRow,
  putLiveCredentials,
  selectLiveWallet,
} from "@/lib/db/queries/live-wallets";
import { AppError } from "@/lib/errors";
import type { ClobCredentials, OwnershipProof } from "@/lib/venue/trader";

/** The venue derives the same credentials from the same nonce, so one nonce suffices. */
const NONCE = "0";

const Credentials = z.strictObject({
  key: z.string().min(1),
  secret: z.string().min(1),
  passphrase: z.string().min(1),
});

/**
 * Returns the API credentials of a user's live wallet. If none are stored, obtains them with the
 * owner's signature and stores them sealed.
 *
 * @param obtain requests them from the venue. Concurrent calls must get the same credentials.
 */
export async function ensureCredentials(
  userId: string,
  obtain: (proof: OwnershipProof) => Promise<ClobCredentials>,
): Promise<ClobCredentials> {
  const wallet = await selectLiveWallet(await getDb(), userId);
  if (!wallet) throw new AppError("WALLET_NOT_FOUND", "This user has no live wallet.");
  const stored = await openCredentials(wallet);
  if (stored) return stored;
  const timestamp = String(Math.floor(now() / 1000));
  const proof = await signClobAuth(userId, { timestamp, nonce: NONCE });
  const credentials = Credentials.parse(await obtain(proof));
  if (proof.address === wallet.address) await store(wallet, credentials);
  return credentials;
}

/** Deletes a user's credentials that the venue rejects. The next use obtains new ones. */
export async function forgetCredentials(userId: string): Promise<void> {
  const db = await getDb();
  const stored = (await selectLiveWallet(db, userId))?.sealedCredentials ?? null;
  if (stored !== null) await clearLiveCredentials(db, userId, stored);
}

/** Opens the stored credentials of a wallet; null if there are none. */
export async function openCredentials(wallet: LiveWalletRow): Promise<ClobCredentials | null> {
  if (wallet.sealedCredentials === null) return null;
  return withLiveSecret(wallet, "credentials", async (bytes) =>
    Credentials.parse(JSON.parse(bytes.toString("utf8"))),
  );
}

async function store(wallet: LiveWalletRow, credentials: ClobCredentials): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(credentials));
  try {
    const sealedCredentials = await seal(bytes, liveWalletContext(wallet, "credentials"));
    await putLiveCredentials(await getDb(), wallet, sealedCredentials);
  } finally {
    bytes.fill(0);
  }
}
