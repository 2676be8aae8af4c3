import "server-only";
import { liveWalletContext, paperWalletContext } from "@/lib/custody/contexts";
import { findKey } from "@/lib/custody/key-providers";
import { parseKeyName, rewrap } from "@/lib/custody/seal";
import { getDb } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { replaceLiveSecret, selectLiveWallets } from "@/lib/db/queries/live-wallets";
import { replaceSealedKey, selectSealedKeys } from "@/lib/db/queries/wallets";

const BATCH = 200;

export interface Rotation {
  /** Secrets that were moved to the key. */
  rewrapped: number;
  /** Secrets that already used the key. */
  unchanged: number;
}

interface StoredSecret {
  userId: string;
  sealed: string;
  context: string;
}

/** A column of sealed secrets. */
interface Store {
  /** Reads a page of rows after `after`, with their secrets. */
  read(db: Tx, after: string): Promise<{ userIds: string[]; secrets: StoredSecret[] }>;
  /** Replaces a secret if it is still `from`. Returns whether it was. */
  replace(db: Tx, change: { userId: string; from: string; to: string }): Promise<boolean>;
}

const paperKeys: Store = {
  read: async (db, after) => {
    const rows = await selectSealedKeys(db, after, BATCH);
    const secrets = rows.map(({ userId, address, sealedKey }) => ({
      userId,
      sealed: sealedKey,
      context: paperWalletContext(userId, address),
    }));
    return { userIds: rows.map(({ userId }) => userId), secrets };
  },
  replace: replaceSealedKey,
};

function liveSecrets(secret: "key" | "credentials"): Store {
  const column = secret === "key" ? "sealedKey" : "sealedCredentials";
  return {
    read: async (db, after) => {
      const rows = await selectLiveWallets(db, after, BATCH);
      const secrets = rows.flatMap((row) => {
        const sealed = row[column];
        if (sealed === null) return [];
        return [{ userId: row.userId, sealed, context: liveWalletContext(row, secret) }];
      });
      return { userIds: rows.map(({ userId }) => userId), secrets };
    },
    replace: (db, change) => replaceLiveSecret(db, column, change),
  };
}

const STORES: readonly Store[] = [paperKeys, liveSecrets("key"), liveSecrets("credentials")];

/**
 * Rewraps every stored secret with another key-encryption key of any provider. Safe while the service
 * runs, because a secret is replaced only if it has not changed. Run it until it rewraps nothing;
 * then the old key can be removed from the environment.
 */
export async function rotateKeys(toKeyId: string): Promise<Rotation> {
  findKey(toKeyId);
  const db = await getDb();
  const rotation: Rotation = { rewrapped: 0, unchanged: 0 };
  for (const store of STORES) {
    let after: string | undefined = "";
    while (after !== undefined) {
      const { userIds, secrets } = await store.read(db, after);
      for (const secret of secrets) await rotateOne({ db, store, secret, toKeyId, rotation });
      after = userIds.length < BATCH ? undefined : userIds.at(-1);
    }
  }
  return rotation;
}

interface Step {
  db: Tx;
  store: Store;
  secret: StoredSecret;
  toKeyId: string;
  rotation: Rotation;
}

async function rotateOne({ db, store, secret, toKeyId, rotation }: Step): Promise<void> {
  const { userId, sealed, context } = secret;
  if (parseKeyName(sealed).keyId === toKeyId) {
    rotation.unchanged += 1;
    return;
  }
  const fresh = await rewrap(sealed, context, toKeyId);
  if (await store.replace(db, { userId, from: sealed, to: fresh })) rotation.rewrapped += 1;
}
