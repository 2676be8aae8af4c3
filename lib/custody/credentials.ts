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

/** The venue gives the same credentials for the same nonce, so one of them is enough for ever. */
const NONCE = "0";

const Credentials = z.strictObject({
  key: z.string().min(1),
  secret: z.string().min(1),
  passphrase: z.string().min(1),
});

/**
 * The API credentials of a user's live wallet. What is not stored yet is asked for with the owner's
 * signature, and kept sealed.
 *
 * @param obtain asks the venue; it may run twice at once, and must then get the same.
 */
export async function ensureCredentials(
  userId: string,
  obtain: (proof: OwnershipProof) => Promise<ClobCredentials>,
): Promise<ClobCredentials> {
  const wallet = await selectLiveWallet(await getDb(), userId);
  if (!wallet) throw new AppError("WALLET_NOT_FOUND", "this user has no live wallet");
  const stored = await openCredentials(wallet);
  if (stored) return stored;
  const timestamp = String(Math.floor(now() / 1000));
  const proof = await signClobAuth(userId, { timestamp, nonce: NONCE });
  const credentials = Credentials.parse(await obtain(proof));
  if (proof.address === wallet.address) await store(wallet, credentials);
  return credentials;
}

/** Forgets a user's credentials, which the venue does not take any more: they are asked for anew. */
export async function forgetCredentials(userId: string): Promise<void> {
  const db = await getDb();
  const stored = (await selectLiveWallet(db, userId))?.sealedCredentials ?? null;
  if (stored !== null) await clearLiveCredentials(db, userId, stored);
}

/** The stored credentials of a wallet; null until they were obtained. */
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
