import "server-only";
import { type IssuedKey, issueKey, type KeyRequest } from "@/lib/limits/issue-key";
import { requireKey, rotateKey } from "@/lib/auth/manage-keys";
import type { Proof } from "@/lib/auth/second-factor/prove-factor";
import { requireFreshFactor } from "@/lib/auth/second-factor/require-fresh-factor";
import type { Session } from "@/lib/auth/session";
import { getDb } from "@/lib/db/client";

/** Creates a key of a signed-in user. A live key needs a fresh second factor. */
export async function issueOwnKey(
  session: Session,
  request: KeyRequest,
  proof: Proof,
): Promise<IssuedKey> {
  if (session.principal.mode === "live") await requireFreshFactor(session, "live_key", proof);
  return issueKey(session.principal, request, session.id);
}

/** Replaces a key of a signed-in user. A live key needs a fresh second factor. */
export async function rotateOwnKey(
  session: Session,
  keyId: string,
  { overlapMs, proof }: { overlapMs: number; proof: Proof },
): Promise<{ apiKey: string; keyId: string }> {
  const { userId } = session.principal;
  const { mode } = await requireKey(await getDb(), userId, keyId);
  if (mode === "live") await requireFreshFactor(session, "live_key", proof);
  return rotateKey(userId, keyId, { overlapMs, sessionId: session.id });
}
