import "server-only";
import { randomBytes } from "node:crypto";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import {
  type ChallengeRow,
  deleteChallengesBefore,
  putChallenge,
  takeChallenge,
} from "@/lib/db/queries/passkeys";

const CHALLENGE_BYTES = 32;
const LIFETIME_MS = 5 * 60_000;

type Holder = Pick<ChallengeRow, "holderId" | "purpose">;

/** Creates the challenge of a session, or waiting sign-in, in place of its former one. */
export async function createChallenge(holder: Holder): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = Uint8Array.from(randomBytes(CHALLENGE_BYTES));
  const db = await getDb();
  await deleteChallengesBefore(db, new Date(now()));
  await putChallenge(db, {
    ...holder,
    challenge: Buffer.from(challenge).toString("base64url"),
    expiresAt: new Date(now() + LIFETIME_MS),
  });
  return challenge;
}

/** Uses up the newest challenge, even if the check that needs it fails. Returns null without one. */
export async function useChallenge(
  holder: Holder,
): Promise<{ challenge: string; createdAt: Date } | null> {
  const row = await takeChallenge(await getDb(), holder);
  if (row === null || row.expiresAt.getTime() <= now()) return null;
  const createdAt = new Date(row.expiresAt.getTime() - LIFETIME_MS);
  return { challenge: row.challenge, createdAt };
}
