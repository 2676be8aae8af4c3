import "server-only";
import { notFound } from "next/navigation";
import { isSharedAccount } from "@/lib/auth/demo-file";
import type { Session } from "@/lib/auth/session";

/** Shows `not-found.tsx` of this folder to users of the shared demo account. */
export async function refuseShared({ principal }: Session): Promise<void> {
  if (await isSharedAccount(principal.userId)) notFound();
}
