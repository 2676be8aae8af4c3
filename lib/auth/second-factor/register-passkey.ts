import "server-only";
import { z } from "zod";
import { parseKeyName } from "@/lib/auth/create-key";
import { createChallenge, useChallenge } from "@/lib/auth/second-factor/challenges";
import { loadWebAuthn } from "@/lib/auth/second-factor/load-webauthn";
import { addFactor } from "@/lib/auth/second-factor/new-factor";
import type { Proof } from "@/lib/auth/second-factor/prove-factor";
import { getRelyingParty, type RelyingParty } from "@/lib/auth/second-factor/relying-party";
import { requireFreshFactor } from "@/lib/auth/second-factor/require-fresh-factor";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import type { Session } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { insertPasskey, type PasskeyRow, selectPasskeys } from "@/lib/db/queries/passkeys";
import { MAX_PASSKEYS } from "@/lib/domain/second-factor";
import { AppError } from "@/lib/errors";

const Bytes = z
  .string()
  .max(65_536)
  .regex(/^[\w-]+$/);
const Transports = z.array(
  z.enum(["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]),
);
const Registration = z.object({
  id: Bytes,
  rawId: Bytes,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: Transports.catch([]),
  }),
});

/** Starts adding a passkey. Returns what the browser needs to create one. */
export async function startPasskey(session: Session, name: string, proof: Proof) {
  const party = requireParty();
  parseKeyName(name);
  await requireFreshFactor(session, "change_factors", proof);
  const { userId } = session.principal;
  const own = await selectPasskeys(await getDb(), userId);
  assertRoom(own.length);
  const { generateRegistrationOptions } = await loadWebAuthn();
  return generateRegistrationOptions({
    rpName: "Ante",
    rpID: party.id,
    userName: session.email,
    userID: Uint8Array.from(Buffer.from(userId)),
    challenge: await createChallenge({ holderId: session.id, purpose: "register" }),
    excludeCredentials: own.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
  });
}

/**
 * Adds the passkey that the browser created.
 *
 * @param text the browser's response as JSON.
 * @returns the recovery codes with the first factor; otherwise null.
 */
export async function finishPasskey(
  session: Session,
  typedName: string,
  text: string,
): Promise<string[] | null> {
  const name = parseKeyName(typedName);
  const issued = await useChallenge({ holderId: session.id, purpose: "register" });
  if (issued === null) throw refused();
  const created = await verify(text, issued.challenge);
  const { userId } = session.principal;
  return withTransaction((tx) =>
    addFactor(tx, session, {
      startedAt: issued.createdAt,
      insert: async () => {
        const row = { ...created, userId, name, createdAt: new Date(now()), lastUsedAt: null };
        await insert(tx, row, session.id);
      },
    }),
  );
}

async function insert(tx: Tx, row: PasskeyRow, sessionId: string): Promise<void> {
  const { userId, name } = row;
  assertRoom((await selectPasskeys(tx, userId)).length);
  if (!(await insertPasskey(tx, row))) {
    throw new AppError("VALIDATION_ERROR", "This passkey is registered already.");
  }
  await recordSecurityEvent(tx, { userId, kind: "passkey_added", sessionId, detail: { name } });
}

type NewPasskey = Pick<PasskeyRow, "id" | "publicKey" | "counter" | "transports">;

async function verify(text: string, expectedChallenge: string): Promise<NewPasskey> {
  const party = requireParty();
  const { verifyRegistrationResponse } = await loadWebAuthn();
  try {
    const { id, rawId, type, response } = Registration.parse(JSON.parse(text));
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId, type, response, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    });
    if (!verified) throw refused();
    const { credential } = registrationInfo;
    return {
      id: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString("base64url"),
      counter: credential.counter,
      transports: response.transports,
    };
  } catch {
    // The library throws for each check that fails.
    throw refused();
  }
}

function requireParty(): RelyingParty {
  const party = getRelyingParty();
  if (party !== null) return party;
  throw new AppError("VALIDATION_ERROR", "Passkeys need a host name and https on this server.");
}

function assertRoom(count: number): void {
  if (count < MAX_PASSKEYS) return;
  throw new AppError("VALIDATION_ERROR", `You can have at most ${MAX_PASSKEYS} passkeys.`);
}

const refused = () =>
  new AppError("VALIDATION_ERROR", "The passkey wasn\u2019t added. Start again.");
