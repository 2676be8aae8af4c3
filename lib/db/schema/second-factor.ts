import { bigint, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { users } from "@/lib/db/schema/accounts";
import { instant } from "@/lib/db/schema/columns";

/** A passkey of a user. Its credential id belongs to one user. */
export const passkeys = pgTable(
  "passkeys",
  {
    /** The credential id, base64url. */
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    /** The user's name for it. */
    name: text("name").notNull(),
    /** The COSE public key, base64url. */
    publicKey: text("public_key").notNull(),
    /** The signature counter of the last use; 0 for passkeys that don't count. */
    counter: bigint("counter", { mode: "number" }).notNull(),
    transports: text("transports").array().notNull(),
    createdAt: instant("created_at").notNull(),
    lastUsedAt: instant("last_used_at"),
  },
  (table) => [index("passkeys_user").on(table.userId)],
);

/** The secrets of authenticator apps. A user has at most one that is confirmed and one in setup. */
export const totpSecrets = pgTable(
  "totp_secrets",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    /** The session that sets it up. Only that one sees the secret, and only until it is confirmed. */
    sessionId: text("session_id").notNull(),
    sealedSecret: text("sealed_secret").notNull(),
    /** The time step of the last accepted code. Each step is accepted once. */
    lastStep: integer("last_step"),
    createdAt: instant("created_at").notNull(),
    /** Null during setup. */
    confirmedAt: instant("confirmed_at"),
  },
  (table) => [index("totp_secrets_user").on(table.userId)],
);

/** The recovery codes of a user. Only hashes are stored. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    codeHash: text("code_hash").notNull(),
    usedAt: instant("used_at"),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

/** The newest WebAuthn challenge of each session, or waiting sign-in, and purpose. Works once. */
export const passkeyChallenges = pgTable(
  "passkey_challenges",
  {
    /** A session or a waiting sign-in. */
    holderId: text("holder_id").notNull(),
    purpose: text("purpose", { enum: ["register", "prove"] }).notNull(),
    challenge: text("challenge").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.holderId, table.purpose] }),
    index("passkey_challenges_expiry").on(table.expiresAt),
  ],
);

/**
 * Sign-ins with the right password that wait for the second factor. They are no sessions, so they
 * reach nothing. The second factor replaces them with a session.
 */
export const waitingSignIns = pgTable(
  "waiting_sign_ins",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    userAgent: text("user_agent").notNull(),
    address: text("address").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    index("waiting_sign_ins_user").on(table.userId),
    index("waiting_sign_ins_created").on(table.createdAt),
  ],
);
