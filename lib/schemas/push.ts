import { z } from "zod";
import { ALL_KINDS } from "@/lib/domain/notifications";

const MAX_ENDPOINT = 2_000;
/** An uncompressed point of P-256: 0x04 and 64 bytes. */
const PUBLIC_KEY = /^B[A-Za-z0-9_-]{86}$/;
/** 16 bytes. */
const AUTH = /^[A-Za-z0-9_-]{22}$/;

/** A browser's `PushSubscription`. */
export const BrowserSubscription = z.object({
  endpoint: z.string().min(1).max(MAX_ENDPOINT),
  publicKey: z.string().regex(PUBLIC_KEY),
  auth: z.string().regex(AUTH),
});
export type BrowserSubscription = z.output<typeof BrowserSubscription>;

/** The notifications that a browser gets. */
export const PushChoices = z.object({
  kinds: z.array(z.enum(ALL_KINDS)),
  /** Whether messages name shares and money. */
  showsAmounts: z.boolean(),
});
export type PushChoices = z.output<typeof PushChoices>;
