import "server-only";
import { isDeepStrictEqual } from "node:util";
import { ZeroHash } from "ethers";
import { z } from "zod";
import type { LiveWalletIdentity } from "@/lib/db/queries/live-wallets";
import {
  type ChainId,
  type ExchangeDomain,
  getExchangeDomain,
} from "@/lib/polymarket/protocol/contracts";
import { type OrderStruct, SIGNATURE_TYPE } from "@/lib/polymarket/protocol/order-hash";
import { isConditionalTokenId } from "@/lib/polymarket/protocol/position-id";
import { MAX_REQUEST_MICRO } from "@/lib/units";

/** The signer refuses timestamps that are further away from now than this. */
const MAX_CLOCK_DISTANCE_MS = 5 * 60_000;
/** The largest salt and nonce, because they are JSON numbers on the wire. */
const MAX_JSON_INTEGER = BigInt(Number.MAX_SAFE_INTEGER);
const MAX_UINT256 = 2n ** 256n - 1n;
const WHOLE_NUMBER = /^(0|[1-9]\d{0,77})$/;

const wholeNumber = (least: bigint, most: bigint) =>
  z
    .string()
    .refine((text) => WHOLE_NUMBER.test(text) && BigInt(text) >= least && BigInt(text) <= most);

/** Accepts an instant near `at`, in units of `stepMs`. */
const instantNear = (at: number, stepMs: number) =>
  wholeNumber(
    BigInt(Math.max(0, Math.ceil((at - MAX_CLOCK_DISTANCE_MS) / stepMs))),
    BigInt(Math.floor((at + MAX_CLOCK_DISTANCE_MS) / stepMs)),
  );

/**
 * Checks that this wallet may sign an order now. Returns a copy, which the caller can no longer
 * change. Throws an error that names the wrong field but not its value.
 */
export function checkOrder(
  order: OrderStruct,
  wallet: LiveWalletIdentity,
  at: number,
): OrderStruct {
  const { address, funderAddress, signatureType } = wallet;
  const isDepositWallet = signatureType === SIGNATURE_TYPE.depositWallet;
  const amount = wholeNumber(1n, MAX_REQUEST_MICRO);
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
  return parse(signable, order);
}

/**
 * Checks that a token is traded on the exchange that an order is signed for. Ante signs only for the
 * two exchanges of Protocol V1 (domain version "2") and only ids of Conditional Tokens. It never signs
 * a position id of Protocol V2 or for its exchange, whose domain version is "3"
 * (polymarket-protocol-v2.md 1); the official client would. Throws for any other pair.
 */
export function checkExchange(tokenId: string, domain: ExchangeDomain, chainId: ChainId): void {
  const pinned = [getExchangeDomain(chainId, false), getExchangeDomain(chainId, true)];
  if (!pinned.some((each) => isDeepStrictEqual(each, domain))) throw refusal("domain");
  if (!isConditionalTokenId(tokenId)) throw refusal("tokenId");
}

/** Checks a request for API credentials in the same way. */
export function checkClaim(
  request: { timestamp: string; nonce: string },
  at: number,
): { timestamp: string; nonce: string } {
  const claim = z.strictObject({
    timestamp: instantNear(at, 1000),
    nonce: wholeNumber(0n, MAX_JSON_INTEGER),
  });
  return parse(claim, request);
}

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join(".");
  throw refusal(field || "an unknown field");
}

const refusal = (what: string) => new Error(`the signer refuses: ${what}`);
