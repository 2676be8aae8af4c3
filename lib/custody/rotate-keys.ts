import "server-only";
import { keyOf } from "@/lib/custody/envelope";
import { keyIdOf, rewrap } from "@/lib/custody/seal";
import { walletContext } from "@/lib/custody/wallet-context";
import { getDb } from "@/lib/db/client";
import { replaceSealedKey, selectSealedKeys } from "@/lib/db/queries/wallets";

const BATCH = 200;

export interface Rotation {
  /** Secrets that are now under the key. */
  rewrapped: number;
  /** Secrets that were under it already. */
  unchanged: number;
}

/**
 * Brings every stored secret under another key-encryption key, while the service runs: a secret is
 * replaced only if it is still the one that was read. Run it again until nothing is rewrapped, then
 * the old key may leave the environment.
 */
export async function rotateKeys(toKeyId: string): Promise<Rotation> {
  keyOf(toKeyId);
  const db = await getDb();
  const rotation: Rotation = { rewrapped: 0, unchanged: 0 };
  let after = "";
  for (;;) {
    const rows = await selectSealedKeys(db, after, BATCH);
    for (const { userId, address, sealedKey } of rows) {
      if (keyIdOf(sealedKey) === toKeyId) {
        rotation.unchanged += 1;
        continue;
      }
      const fresh = rewrap(sealedKey, walletContext(userId, address), toKeyId);
      if (await replaceSealedKey(db, { userId, from: sealedKey, to: fresh })) {
        rotation.rewrapped += 1;
      }
    }
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return rotation;
    after = last.userId;
  }
}
