import "server-only";
import { AppError } from "@/lib/errors";
import { findDemoUserId } from "@/lib/services/users/demo-session";

/** Whether an account is open to everybody, so that nobody in it may rule over the others. */
export async function isSharedAccount(userId: string): Promise<boolean> {
  return (await findDemoUserId()) === userId;
}

export async function assertNotShared(userId: string): Promise<void> {
  if (!(await isSharedAccount(userId))) return;
  throw new AppError("VALIDATION_ERROR", "The demo account is shared: this cannot be changed.");
}
