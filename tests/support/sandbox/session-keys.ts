// Session keys of the sandbox, without its relayer.
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { revokeSandboxSessionKey } from "@/lib/db/queries/sandbox-session-keys";
import { cancelOrdersOfKey } from "@/lib/sandbox/session-keys";

/** Revokes a session key of a deposit wallet, and cancels its open orders there, as the relayer does. */
export async function revokeSessionKey(wallet: string, address: string): Promise<void> {
  await revokeSandboxSessionKey(await getDb(), { wallet, address }, new Date(now()));
  await cancelOrdersOfKey(wallet, address);
}
