import "server-only";
import { totpContext } from "@/lib/custody/contexts";
import { seal, withSecret } from "@/lib/custody/seal";
import type { TotpSecretRow } from "@/lib/db/queries/totp-secrets";

type SecretOwner = Pick<TotpSecretRow, "userId" | "id">;

/** Seals the secret of an authenticator app. */
export const sealTotp = ({ userId, id }: SecretOwner, secret: Uint8Array): Promise<string> =>
  seal(secret, totpContext(userId, id));

/** Opens the secret of an authenticator app while `use` runs, then wipes it. */
export const withTotpSecret = <T>(
  { userId, id, sealedSecret }: TotpSecretRow,
  use: (secret: Buffer) => Promise<T>,
): Promise<T> => withSecret(sealedSecret, totpContext(userId, id), use);
