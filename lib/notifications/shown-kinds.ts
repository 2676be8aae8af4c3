import "server-only";
import { getDb } from "@/lib/db/client";
import { selectHiddenKinds, upsertHiddenKinds } from "@/lib/db/queries/settings";
import { addSecurityKinds, ALL_KINDS, type NotificationKind } from "@/lib/domain/notifications";

/** Returns the kinds of notifications that the dashboard shows to a user. */
export async function getShownKinds(userId: string): Promise<NotificationKind[]> {
  const hidden = await selectHiddenKinds(await getDb(), userId);
  return addSecurityKinds(ALL_KINDS.filter((kind) => !hidden.includes(kind)));
}

/** Shows these kinds, and those that can't be switched off. */
export async function saveShownKinds(
  userId: string,
  chosen: readonly NotificationKind[],
): Promise<void> {
  const shown = addSecurityKinds(chosen);
  const hidden = ALL_KINDS.filter((kind) => !shown.includes(kind));
  await upsertHiddenKinds(await getDb(), userId, hidden);
}
