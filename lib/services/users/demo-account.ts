import "server-only";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SCOPES } from "@/lib/auth/principal";
import { getDatabase } from "@/lib/db/client";
import { countUsers } from "@/lib/db/queries/users";
import { env } from "@/lib/env";
import { createUser } from "@/lib/services/users/create-user";
import { usdc } from "@/lib/units";

const DEMO_EMAIL = "demo@ante.local";
const DEMO_DEPOSIT = usdc(10_000_000_000n);

/** Where the demo account's credentials are kept. */
export function demoFile(): string {
  return join(env().DATA_DIR, "demo.json");
}

/**
 * Creates the demo account on the first start with the embedded database. The credentials are
 * written before the account commits, so a crash leaves no account that nobody can open.
 */
export async function ensureDemoAccount(): Promise<void> {
  const { db, kind } = await getDatabase();
  if (kind !== "embedded" || (await countUsers(db)) > 0) return;
  const password = randomBytes(15).toString("base64url");
  await createUser({
    email: DEMO_EMAIL,
    password,
    deposit: DEMO_DEPOSIT,
    key: { name: "demo", scopes: SCOPES },
    beforeCommit: ({ email, apiKey, userId, address, funderAddress }) => {
      const credentials = { email, password, apiKey, userId, address, funderAddress };
      writeFileSync(demoFile(), `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
    },
  });
}
