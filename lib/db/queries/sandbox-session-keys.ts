import "server-only";
import { and, asc, desc, eq, isNull } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { sandboxSessionKeys } from "@/lib/db/schema/sandbox";

export type SandboxSessionKeyRow = typeof sandboxSessionKeys.$inferSelect;

/** Selects a session key of a deposit wallet, in any state. */
export async function selectSandboxSessionKey(
  tx: Tx,
  wallet: string,
  address: string,
): Promise<SandboxSessionKeyRow | null> {
  const [row] = await tx
    .select()
    .from(sandboxSessionKeys)
    .where(and(eq(sandboxSessionKeys.wallet, wallet), eq(sandboxSessionKeys.address, address)));
  return row ?? null;
}

/** Selects the session keys of a deposit wallet that were not revoked, expired ones included. */
export function selectSandboxSessionKeys(tx: Tx, wallet: string): Promise<SandboxSessionKeyRow[]> {
  return tx
    .select()
    .from(sandboxSessionKeys)
    .where(and(eq(sandboxSessionKeys.wallet, wallet), isNull(sandboxSessionKeys.revokedAt)))
    .orderBy(asc(sandboxSessionKeys.authorizedAt), asc(sandboxSessionKeys.address));
}

/** Selects the deposit wallets that ever authorized a session key, the last one first. */
export async function selectSessionWallets(tx: Tx, address: string): Promise<string[]> {
  const rows = await tx
    .select({ wallet: sandboxSessionKeys.wallet })
    .from(sandboxSessionKeys)
    .where(eq(sandboxSessionKeys.address, address))
    .orderBy(desc(sandboxSessionKeys.authorizedAt), asc(sandboxSessionKeys.wallet));
  return rows.map(({ wallet }) => wallet);
}

/** Stores an authorization, which replaces a former one of the same key. */
export async function putSandboxSessionKey(
  tx: Tx,
  key: Omit<SandboxSessionKeyRow, "revokedAt">,
): Promise<void> {
  const row = { ...key, revokedAt: null };
  await tx
    .insert(sandboxSessionKeys)
    .values(row)
    .onConflictDoUpdate({
      target: [sandboxSessionKeys.wallet, sandboxSessionKeys.address],
      set: row,
    });
}

export async function revokeSandboxSessionKey(
  tx: Tx,
  { wallet, address }: Pick<SandboxSessionKeyRow, "wallet" | "address">,
  at: Date,
): Promise<void> {
  await tx
    .update(sandboxSessionKeys)
    .set({ revokedAt: at })
    .where(
      and(
        eq(sandboxSessionKeys.wallet, wallet),
        eq(sandboxSessionKeys.address, address),
        isNull(sandboxSessionKeys.revokedAt),
      ),
    );
}
