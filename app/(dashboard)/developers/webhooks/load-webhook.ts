import "server-only";
import { notFound } from "next/navigation";
import { cache } from "react";
import { requireSession } from "@/app/_lib/require-session";
import { AppError } from "@/lib/errors";
import { getWebhook } from "@/lib/webhooks/manage-webhooks";

/** Returns an endpoint of the account that the page shows, or shows that there is none. */
export const loadWebhook = cache(async (webhookId: string) => {
  const { principal } = await requireSession();
  return showNotFound(() => getWebhook(principal, webhookId));
});

/** Runs a read of an endpoint, and shows the page for a missing one if there is none. */
export async function showNotFound<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError && error.code === "WEBHOOK_NOT_FOUND") notFound();
    throw error;
  }
}
