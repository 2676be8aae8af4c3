import "server-only";
import {
  liveWalletContext,
  paperWalletContext,
  pushContext,
  totpContext,
  webhookContext,
} from "@/lib/custody/contexts";
import { findKey } from "@/lib/custody/key-providers";
import { parseKeyName, rewrap } from "@/lib/custody/seal";
import { getDb } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { replaceLiveSecret, selectLiveWallets } from "@/lib/db/queries/live-wallets";
import { replaceSealedAuth, selectSubscriptionsAfter } from "@/lib/db/queries/push-subscriptions";
import { replaceSealedTotp, selectTotpSecretsAfter } from "@/lib/db/queries/totp-secrets";
import { replaceWebhookSecret, selectEndpointsAfter } from "@/lib/db/queries/webhooks";
import { replaceSealedKey, selectSealedKeys } from "@/lib/db/queries/wallets";

const BATCH = 200;

export interface Rotation {
  /** Secrets that were moved to the key. */
  rewrapped: number;
  /** Secrets that already used the key. */
  unchanged: number;
}

interface StoredSecret {
  /** The id of its row: a user, a webhook endpoint, a push subscription or an authenticator app. */
  id: string;
  sealed: string;
  context: string;
}

/** A column of sealed secrets. */
interface Store {
  /** Reads a page of rows after `after`, with their secrets. */
  read(db: Tx, after: string): Promise<{ ids: string[]; secrets: StoredSecret[] }>;
  /** Replaces a secret if it is still `from`. Returns whether it was. */
  replace(db: Tx, change: { id: string; from: string; to: string }): Promise<boolean>;
}

const paperKeys: Store = {
  read: async (db, after) => {
    const rows = await selectSealedKeys(db, after, BATCH);
    const secrets = rows.map(({ userId, address, sealedKey }) => ({
      id: userId,
      sealed: sealedKey,
      context: paperWalletContext(userId, address),
    }));
    return { ids: rows.map(({ userId }) => userId), secrets };
  },
  replace: (db, { id, ...change }) => replaceSealedKey(db, { userId: id, ...change }),
};

function liveSecrets(secret: "key" | "credentials"): Store {
  const column = secret === "key" ? "sealedKey" : "sealedCredentials";
  return {
    read: async (db, after) => {
      const rows = await selectLiveWallets(db, after, BATCH);
      const secrets = rows.flatMap((row) => {
        const sealed = row[column];
        if (sealed === null) return [];
        return [{ id: row.userId, sealed, context: liveWalletContext(row, secret) }];
      });
      return { ids: rows.map(({ userId }) => userId), secrets };
    },
    replace: (db, { id, ...change }) => replaceLiveSecret(db, column, { userId: id, ...change }),
  };
}

function webhookSecrets(column: "sealedSecret" | "sealedPreviousSecret"): Store {
  return {
    read: async (db, after) => {
      const rows = await selectEndpointsAfter(db, after, BATCH);
      const secrets = rows.flatMap((row) => {
        const sealed = row[column];
        if (sealed === null) return [];
        return [{ id: row.id, sealed, context: webhookContext(row.userId, row.id) }];
      });
      return { ids: rows.map(({ id }) => id), secrets };
    },
    replace: (db, change) => replaceWebhookSecret(db, column, change),
  };
}

const pushSecrets: Store = {
  read: async (db, after) => {
    const rows = await selectSubscriptionsAfter(db, after, BATCH);
    const secrets = rows.map(({ id, userId, sealedAuth }) => ({
      id,
      sealed: sealedAuth,
      context: pushContext(userId, id),
    }));
    return { ids: rows.map(({ id }) => id), secrets };
  },
  replace: replaceSealedAuth,
};

const totpSecrets: Store = {
  read: async (db, after) => {
    const rows = await selectTotpSecretsAfter(db, after, BATCH);
    const secrets = rows.map(({ id, userId, sealedSecret }) => ({
      id,
      sealed: sealedSecret,
      context: totpContext(userId, id),
    }));
    return { ids: rows.map(({ id }) => id), secrets };
  },
  replace: replaceSealedTotp,
};

const STORES: readonly Store[] = [
  paperKeys,
  liveSecrets("key"),
  liveSecrets("credentials"),
  webhookSecrets("sealedSecret"),
  webhookSecrets("sealedPreviousSecret"),
  pushSecrets,
  totpSecrets,
];

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
      const { ids, secrets } = await store.read(db, after);
      for (const secret of secrets) await rotateOne({ db, store, secret, toKeyId, rotation });
      after = ids.length < BATCH ? undefined : ids.at(-1);
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
  const { id, sealed, context } = secret;
  if (parseKeyName(sealed).keyId === toKeyId) {
    rotation.unchanged += 1;
    return;
  }
  const fresh = await rewrap(sealed, context, toKeyId);
  if (await store.replace(db, { id, from: sealed, to: fresh })) rotation.rewrapped += 1;
}
