"use server";

import { createPasskeyCheck } from "@/app/_lib/passkey-check";
import { requireSession } from "@/app/_lib/require-session";
import type { StartPasskeyCheck } from "@/components/security/passkey-button";

/** Creates a passkey challenge for this session. */
export async function startPasskeyCheckAction(): ReturnType<StartPasskeyCheck> {
  const { id, principal } = await requireSession();
  return createPasskeyCheck({ id, userId: principal.userId });
}
