import "server-only";
import { eq } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { apiKeys } from "@/lib/db/schema/accounts";

export async function updateApiKeyName(tx: Tx, id: string, name: string): Promise<void> {
  await tx.update(apiKeys).set({ name }).where(eq(apiKeys.id, id));
}
