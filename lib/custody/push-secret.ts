import "server-only";
import { pushContext } from "@/lib/custody/contexts";
import { seal, withSecret } from "@/lib/custody/seal";
import type { PushSubscriptionRow } from "@/lib/db/queries/push-subscriptions";

type SecretOwner = Pick<PushSubscriptionRow, "userId" | "id">;

/** Seals the authentication secret of a push subscription. */
export const sealAuth = ({ userId, id }: SecretOwner, auth: string): Promise<string> =>
  seal(Buffer.from(auth), pushContext(userId, id));

/** Opens the authentication secret of a push subscription. */
export const openAuth = ({ userId, id, sealedAuth }: PushSubscriptionRow): Promise<string> =>
  withSecret(sealedAuth, pushContext(userId, id), async (auth) => auth.toString());
