import "server-only";
import { ZeroHash } from "ethers";
import { z } from "zod";
import type { LiveWalletIdentity } from "@/lib/db/queries/live-wallets";
import { type OrderStruct, SIGNATURE_TYPE } from "@/lib/polymarket/order-hash";

/** Nothing is signed that says it is older, or from later, than this. */
const MAX_CLOCK_DISTANCE_MS = 5 * 60_000;
/** Ten million USDC or shares, in base units: beyond it an amount is a mistake. */
const MAX_BASE_UNITS = 10_000_000_000_000n;
/** Salts and nonces go over the wire as JSON numbers. */
const MAX_JSON_INTEGER = BigInt(Number.MAX_SAFE_INTEGER);
const MAX_UINT256 = 2n ** 256n - 1n;
const WHOLE_NUMBER = /^(0|[1-9]\d{0,77})$/;

const wholeNumber = (least: bigint, most: bigint) =>
  z
    .string()
    .refine((text) => WHOLE_NUMBER.test(text) && BigInt(text) >= least && BigInt(text) <= most);

/** An instant near `at`, in steps of so many milliseconds. */
const instantNear = (at: number, stepMs: number) =>
  wholeNumber(
    BigInt(Math.max(0, Math.ceil((at - MAX_CLOCK_DISTANCE_MS) / stepMs))),
    BigInt(Math.floor((at + MAX_CLOCK_DISTANCE_MS) / stepMs)),
  );

/**
 * Checks that an order is one that this wallet may sign now, and returns a copy that its maker cannot
 * change any more. Throws for everything else, naming the field but never its value.
 */
export function checkedOrder(
  order: OrderStruct,
  wallet: LiveWalletIdentity,
  at: number,
): OrderStruct {
  const { address, funderAddress, signatureType } = wallet;
  const isDepositWallet = signatureType === SIGNATURE_TYPE.depositWallet;
  const amount = wholeNumber(1n, MAX_BASE_UNITS);
  const signable = z.strictObject({
    salt: wholeNumber(0n, MAX_JSON_INTEGER),
    maker: z.literal(funderAddress),
    signer: z.literal(isDepositWallet ? funderAddress : address),
    tokenId: wholeNumber(1n, MAX_UINT256),
    makerAmount: amount,
    takerAmount: amount,
    side: z.enum(["BUY", "SELL"]),
    signatureType: z.literal(signatureType),
    timestamp: instantNear(at, 1),
    metadata: z.literal(ZeroHash),
    builder: z.literal(ZeroHash),
  });
  return checked(signable, order);
}

/** The same for a claim to control a wallet. */
export function checkedClaim(
  request: { timestamp: string; nonce: string },
  at: number,
): { timestamp: string; nonce: string } {
  const claim = z.strictObject({
    timestamp: instantNear(at, 1000),
    nonce: wholeNumber(0n, MAX_JSON_INTEGER),
  });
  return checked(claim, request);
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join(".");
  throw new Error(`the signer refuses: ${field || "a field that nobody signs"}`);
}
