import "server-only";
import { createHmac, timingSafeEqual } from "node:crypto";
import { env } from "@/lib/env";

/** Returns the stored hash of an API key. Checking a guess takes the pepper, not just the database. */
export function hashKey(key: string): string {
  return createHmac("sha256", env().API_KEY_PEPPER).update(key).digest("hex");
}

/** Returns a short hash of an email, to group sign-in attempts by account without storing the email. */
export function hashAccount(email: string): string {
  return hashKey(`account ${email}`).slice(0, 16);
}

/** Compares two hexadecimal hashes in constant time. */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, "hex"), Buffer.from(b, "hex")];
  return left.length === right.length && timingSafeEqual(left, right);
}
