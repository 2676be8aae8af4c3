import "server-only";
import { z } from "zod";
import { createChallenge, useChallenge } from "@/lib/auth/second-factor/challenges";
import { loadWebAuthn } from "@/lib/auth/second-factor/load-webauthn";
import { getRelyingParty } from "@/lib/auth/second-factor/relying-party";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { type PasskeyRow, selectPasskeys, usePasskey } from "@/lib/db/queries/passkeys";
import { AppError } from "@/lib/errors";

/** The session that proves a second factor, or the sign-in that waits for it. */
export interface Prover {
  id: string;
  userId: string;
  email: string;
}

const Bytes = z
  .string()
  .max(16_384)
  .regex(/^[\w-]+$/);

const Assertion = z.object({
  id: Bytes,
  rawId: Bytes,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: z.string().max(200).nullish(),
  }),
});
type Assertion = z.output<typeof Assertion>;

/** Creates what the browser needs to ask for one of the user's passkeys. */
export async function startPasskeyCheck({ id, userId }: Pick<Prover, "id" | "userId">) {
  const party = getRelyingParty();
  const passkeys = await selectPasskeys(await getDb(), userId);
  if (party === null || passkeys.length === 0) {
    throw new AppError("VALIDATION_ERROR", "You have no passkey that works here.");
  }
  const { generateAuthenticationOptions } = await loadWebAuthn();
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: await createChallenge({ holderId: id, purpose: "prove" }),
    allowCredentials: passkeys.map((passkey) => ({
      id: passkey.id,
      transports: passkey.transports,
    })),
    userVerification: "required",
  });
}

/**
 * Checks the signature of a passkey over the newest challenge of its session. Each challenge is used
 * up by one check, right or wrong.
 *
 * @param text the browser's response as JSON.
 */
export async function checkPasskey({ id, userId }: Prover, text: string): Promise<boolean> {
  const issued = await useChallenge({ holderId: id, purpose: "prove" });
  const assertion = parseAssertion(text);
  if (issued === null || assertion === null || !isOwnHandle(assertion, userId)) return false;
  const db = await getDb();
  const passkey = (await selectPasskeys(db, userId)).find((own) => own.id === assertion.id);
  if (!passkey) return false;
  const counter = await verify(assertion, passkey, issued.challenge);
  if (counter === null) return false;
  return usePasskey(db, { id: passkey.id, counter, at: new Date(now()) });
}

function parseAssertion(text: string): Assertion | null {
  try {
    return Assertion.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Passkeys that a device stores name their user. */
function isOwnHandle({ response }: Assertion, userId: string): boolean {
  const { userHandle } = response;
  return !userHandle || userHandle === Buffer.from(userId).toString("base64url");
}

/** Returns the new counter of the passkey; null if the signature, origin or anything else is wrong. */
async function verify(
  { id, rawId, type, response }: Assertion,
  passkey: PasskeyRow,
  expectedChallenge: string,
): Promise<number | null> {
  const party = getRelyingParty();
  if (party === null || isFramed(response.clientDataJSON)) return null;
  const { clientDataJSON, authenticatorData, signature } = response;
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: passkey.id,
        publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, "base64url")),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // The library throws for each check that fails.
    return null;
  }
}

const Framed = z.object({ crossOrigin: z.literal(true) });

/** Returns whether a page of another site had ours in a frame. The library accepts some of these. */
function isFramed(clientData: string): boolean {
  try {
    return Framed.safeParse(JSON.parse(Buffer.from(clientData, "base64url").toString())).success;
  } catch {
    return true;
  }
}
