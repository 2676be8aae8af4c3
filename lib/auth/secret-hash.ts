import "server-only";
import { createHmac, timingSafeEqual } from "node:crypto";
import { env } from "@/lib/env";

/** What is stored of an API key: without the pepper the database alone cannot check a guess. */
export function hashKey(key: string): string {
  return createHmac("sha256", env().API_KEY_PEPPER).update(key).digest("hex");
}

/** Tells attempts at one account from those at another, without keeping what was typed. */
export function hashAccount(email: string): string {
  return hashKey(`account ${email}`).slice(0, 16);
}

/** Compares in constant time. */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, "hex"), Buffer.from(b, "hex")];
  return left.length === right.length && timingSafeEqual(left, right);
}
