import "server-only";
import { computeAddress, getAddress, hexlify, isAddress } from "ethers";
import { z } from "zod";
import { now } from "@/lib/clock";
import { liveWalletContext } from "@/lib/custody/contexts";
import type { LiveWalletIdentity } from "@/lib/db/queries/live-wallets";
import { seal } from "@/lib/custody/seal";
import {
  canTrade,
  SESSION_KEY_LIFE_MS,
  SESSION_SCOPES,
  type SessionKey,
  type SessionScope,
} from "@/lib/domain/session-key";
import { AppError } from "@/lib/errors";
import { SIGNATURE_TYPE, type SignatureType } from "@/lib/polymarket/protocol/order-hash";
import {
  deriveDepositWallets,
  deriveProxyWallet,
  deriveSafeWallet,
} from "@/lib/polymarket/protocol/wallets";

/** A live wallet as the user enters it. */
export interface WalletImport {
  /** 64 hexadecimal digits, with or without 0x. */
  privateKey: string;
  funder: string;
  /** 0 to 3. */
  signatureType: string;
  /** Set if the key is a session key of the deposit wallet; otherwise it is the owner's. */
  sessionKey?: SessionKeyEntry;
}

/** Scopes and end of a session key, as the user enters them. */
export interface SessionKeyEntry {
  /** Scopes of the venue, separated by commas. */
  scopes: string;
  /** A date, an ISO instant or Unix seconds. */
  expiresAt: string;
}

export interface SealedWallet extends LiveWalletIdentity {
  sessionScopes: SessionScope[] | null;
  sealedKey: string;
}

const KIND: Record<SignatureType, string> = {
  0: "wallet",
  1: "proxy wallet",
  2: "Safe",
  3: "deposit wallet",
};

/**
 * Checks that a key and a funder belong together, and seals the key for the user. The wallet of a
 * session key cannot be derived, so only the venue knows whether they belong together. Throws 400.
 */
export async function sealLiveWallet(userId: string, input: WalletImport): Promise<SealedWallet> {
  const privateKey = parsePrivateKey(input.privateKey);
  try {
    const address = deriveAddress(privateKey);
    const signatureType = parseSignatureType(input.signatureType);
    const sessionKey = input.sessionKey ? parseSessionKey(input.sessionKey, signatureType) : null;
    const funderAddress = sessionKey
      ? parseSessionFunder(input.funder, address)
      : parseFunder(input.funder, address, signatureType);
    const sessionExpiresAt = sessionKey?.expiresAt ?? null;
    const identity = { userId, address, funderAddress, signatureType, sessionExpiresAt };
    return {
      ...identity,
      sessionScopes: sessionKey && [...sessionKey.scopes],
      sealedKey: await seal(privateKey, liveWalletContext(identity, "key")),
    };
  } finally {
    privateKey.fill(0);
  }
}

const invalid = (field: string, message: string) =>
  new AppError("VALIDATION_ERROR", message, { field });

function parsePrivateKey(text: string): Buffer {
  const [, digits] = /^(?:0x)?([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  if (digits === undefined) {
    throw invalid("secretKey", "Enter a private key: 64 hexadecimal digits, with or without 0x.");
  }
  return Buffer.from(digits, "hex");
}

function deriveAddress(privateKey: Buffer): string {
  try {
    return computeAddress(hexlify(privateKey));
  } catch {
    // The library's message contains the key.
    throw invalid("secretKey", "This number is not a private key: it is zero or too large.");
  }
}

function parseSignatureType(text: string): SignatureType {
  const found = Object.values(SIGNATURE_TYPE).find((type) => String(type) === text.trim());
  if (found === undefined) {
    throw invalid("signatureType", "Choose the kind of wallet: 0, 1, 2 or 3.");
  }
  return found;
}

function parseAddress(text: string): string {
  const given = text.trim();
  if (isAddress(given)) return getAddress(given);
  throw invalid("funder", "Enter the wallet's address: 0x and 40 hexadecimal digits.");
}

/** Parses the deposit wallet of a session key. Refuses a key that owns it and could do everything. */
function parseSessionFunder(text: string, address: string): string {
  const funder = parseAddress(text);
  const isOwners = funder === address || deriveDepositWallets(address).includes(funder);
  if (!isOwners) return funder;
  throw invalid(
    "secretKey",
    "This is the key of the wallet's owner, not a session key: it can withdraw everything.",
  );
}

function parseSessionKey(entry: SessionKeyEntry, type: SignatureType): SessionKey {
  if (type !== SIGNATURE_TYPE.depositWallet) {
    throw invalid("signatureType", "Only deposit wallets (type 3) have session keys.");
  }
  const scopes = Scopes.safeParse(entry.scopes.split(",").map((scope) => scope.trim()));
  if (!scopes.success) {
    throw invalid("scopes", `Enter scopes of Polymarket: ${SESSION_SCOPES.join(", ")}.`);
  }
  if (!canTrade(scopes.data)) {
    throw invalid("scopes", "This key can't place orders. Its scope must be CLOB or ALL.");
  }
  return { scopes: [...new Set(scopes.data)], expiresAt: parseExpiry(entry.expiresAt) };
}

const Scopes = z.array(z.enum(SESSION_SCOPES)).min(1);
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;
const UNIX_SECONDS = /^\d{1,10}$/;
const SECOND_MS = 1_000;
/** A date that the user enters may be a day off, because time zones differ. */
const DAY_MS = 86_400_000;

/** Parses the end of a session key. A date means its first moment in UTC, so that Ante stops in time. */
function parseExpiry(text: string): Date {
  const given = text.trim();
  const ms = UNIX_SECONDS.test(given)
    ? Number(given) * SECOND_MS
    : DATE.test(given) || INSTANT.test(given)
      ? Date.parse(given)
      : Number.NaN;
  if (Number.isNaN(ms)) {
    throw invalid("expiresAt", "Enter when the session key expires, such as 2027-05-24.");
  }
  if (ms <= now()) throw invalid("expiresAt", "This session key has expired. Authorize a new one.");
  if (ms > now() + SESSION_KEY_LIFE_MS + DAY_MS) {
    throw invalid("expiresAt", "A session key lasts at most 180 days. Check when it expires.");
  }
  return new Date(ms - (ms % SECOND_MS));
}

function parseFunder(text: string, address: string, type: SignatureType): string {
  const funder = parseAddress(text);
  const expected = listWallets(address, type);
  if (!expected.includes(funder)) {
    throw invalid("funder", `The ${KIND[type]} of this private key is ${expected.join(" or ")}.`);
  }
  return funder;
}

/** Lists the wallets of a type that an owner can have. Their addresses are derived from its own. */
function listWallets(owner: string, type: SignatureType): string[] {
  switch (type) {
    case SIGNATURE_TYPE.eoa:
      return [owner];
    case SIGNATURE_TYPE.proxy:
      return [deriveProxyWallet(owner)];
    case SIGNATURE_TYPE.safe:
      return [deriveSafeWallet(owner)];
    case SIGNATURE_TYPE.depositWallet:
      return deriveDepositWallets(owner);
  }
}
