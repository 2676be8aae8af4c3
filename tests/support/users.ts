import { randomBytes } from "node:crypto";
import { type KeyPrincipal, type Scope, SCOPES } from "@/lib/auth/principal";
import { createUser, type CreatedUser } from "@/lib/accounts/create-user";
import { parseKey } from "@/lib/auth/api-key";
import { type Usdc, usdc } from "@/lib/units";

export interface TestUser extends CreatedUser {
  apiKey: string;
  principal: KeyPrincipal;
}

const THOUSAND = usdc(1_000_000_000n);

/** Creates a paper user with money and a key. */
export async function makeUser(
  deposit: Usdc = THOUSAND,
  scopes: readonly Scope[] = SCOPES,
): Promise<TestUser> {
  const user = await createUser({
    email: `${randomBytes(8).toString("hex")}@example.test`,
    password: "correct horse battery staple",
    deposit,
    key: { name: "test", scopes },
  });
  const apiKey = user.apiKey ?? "";
  const keyId = parseKey(apiKey)?.id ?? "";
  return { ...user, apiKey, principal: { userId: user.userId, mode: "paper", keyId, scopes } };
}
