import "server-only";
import { Secret, TOTP } from "otpauth";
import { now } from "@/lib/clock";
import { withTotpSecret } from "@/lib/custody/totp-secret";
import { getDb } from "@/lib/db/client";
import { selectTotpSecret, type TotpSecretRow, useTotpStep } from "@/lib/db/queries/totp-secrets";

const PERIOD_S = 30;
/** How many steps the clocks may be apart. */
const WINDOW = 1;

/** Checks the code of the user's authenticator app and uses it up. */
export async function checkTotp(userId: string, code: string): Promise<boolean> {
  const db = await getDb();
  const row = await selectTotpSecret(db, userId);
  if (row === null) return false;
  const step = await findTotpStep(row, code);
  return step !== null && useTotpStep(db, row.id, step);
}

/** Returns the time step that a code is right for; null if it is wrong. */
export async function findTotpStep(row: TotpSecretRow, code: string): Promise<number | null> {
  const timestamp = now();
  return withTotpSecret(row, async (secret) => {
    const totp = createTotp(secret, "");
    const delta = totp.validate({ token: code, timestamp, window: WINDOW });
    return delta === null ? null : totp.counter({ timestamp }) + delta;
  });
}

/** Creates the generator of a secret's codes: what every authenticator app supports. */
export function createTotp(secret: Uint8Array, label: string): TOTP {
  return new TOTP({
    issuer: "Ante",
    label,
    algorithm: "SHA1",
    digits: 6,
    period: PERIOD_S,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
  });
}
