import "server-only";
import { env } from "@/lib/env";

export function buildIconUrl(icon: string): string {
  return `${env().NEXTAUTH_URL}/icons/${icon}`;
}

/** Returns the page where the owner approves or declines an order. */
export function buildApprovalUrl(orderId: string): string {
  return `${env().NEXTAUTH_URL}/approvals/${orderId}`;
}
