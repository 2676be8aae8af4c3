import "server-only";
import { headers } from "next/headers";
import { readText } from "@/app/_lib/action";
import { confirmPassword } from "@/lib/auth/confirm-password";
import { isSharedAccount } from "@/lib/auth/demo-file";
import type { Session } from "@/lib/auth/session";
import { readBrowser } from "@/lib/auth/start-session";

/**
 * Checks the owner's password in a form that raises a limit or thaws. Nobody knows the password of the
 * shared demo account, so its users are not asked for it.
 *
 * @returns false if the form has no password. Throws VALIDATION_ERROR for a wrong one.
 */
export async function confirmOwner(session: Session, form: FormData): Promise<boolean> {
  if (await isSharedAccount(session.principal.userId)) return true;
  const password = readText(form, "current");
  if (password === "") return false;
  await confirmPassword(session, password, readBrowser(await headers()).address);
  return true;
}
