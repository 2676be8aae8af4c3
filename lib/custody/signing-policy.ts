import "server-only";
import { isDeepStrictEqual } from "node:util";
import { ZeroHash } from "ethers";
import { z } from "zod";
import type { LiveWalletIdentity } from "@/lib/db/queries/live-wallets";
import { canTrade, refuseExpiredKey, type SessionKey } from "@/lib/domain/session-key";
import { AppError } from "@/lib/errors";
import {
  type ChainId,
  type ExchangeDomain,
  getExchangeDomain,
} from "@/lib/polymarket/protocol/contracts";
import { type OrderStruct, SIGNATURE_TYPE } from "@/lib/polymarket/protocol/order-hash";
import { isBookPositionId, isConditionalTokenId } from "@/lib/polymarket/protocol/position-id";
import { MAX_REQUEST_MICRO } from "@/lib/units";
import { EXCHANGES } from "@/lib/domain/protocol";

/** The signer refuses timestamps that are further away from now than this. */
const MAX_CLOCK_DISTANCE_MS = 5 * 60_000;
/** The largest salt and nonce, because they are JSON numbers on the wire. */
const MAX_JSON_INTEGER = BigInt(Number.MAX_SAFE_INTEGER);
const MAX_UINT256 = 2n ** 256n - 1n;
const WHOLE_NUMBER = /^(0|[1-9]\d{0,77})$/;

const isWholeNumber = (text: string, least: bigint, most: bigint) =>
  WHOLE_NUMBER.test(text) && BigInt(text) >= least && BigInt(text) <= most;

const wholeNumber = (least: bigint, most: bigint) =>
  z.string().refine((text) => isWholeNumber(text, least, most));

/** Whether a text is an instant near `at`, in units of `stepMs`. */
const isInstantNear = (text: string, at: number, stepMs: number) =>
  isWholeNumber(
    text,
    BigInt(Math.max(0, Math.ceil((at - MAX_CLOCK_DISTANCE_MS) / stepMs))),
    BigInt(Math.floor((at + MAX_CLOCK_DISTANCE_MS) / stepMs)),
  );

const amount = wholeNumber(1n, MAX_REQUEST_MICRO);

/** An order that some wallet may sign at some time. Built once, because zod compiles each schema. */
const Signable = z.strictObject({
  salt: wholeNumber(0n, MAX_JSON_INTEGER),
  maker: z.string(),
  signer: z.string(),
  tokenId: wholeNumber(1n, MAX_UINT256),
  makerAmount: amount,
  takerAmount: amount,
  side: z.enum(["BUY", "SELL"]),
  signatureType: z.enum(SIGNATURE_TYPE),
  timestamp: z.string(),
  metadata: z.literal(ZeroHash),
  builder: z.string(),
});

/**
 * Checks that this wallet may sign an order now. Returns a frozen copy, which cannot change any more.
 * Throws an error that names the wrong field but not its value.
 *
 * @param builderCode the only code that an order may carry, because another one diverts fees; without
 *   one, orders carry none.
 */
export function checkOrder(
  order: OrderStruct,
  wallet: LiveWalletIdentity,
  at: number,
  builderCode: string = ZeroHash,
): OrderStruct {
  const { address, funderAddress, signatureType } = wallet;
  const isDepositWallet = signatureType === SIGNATURE_TYPE.depositWallet;
  const checked = parse(Signable, order);
  const isRight = {
    maker: checked.maker === funderAddress,
    signer: checked.signer === (isDepositWallet ? funderAddress : address),
    signatureType: checked.signatureType === signatureType,
    timestamp: isInstantNear(checked.timestamp, at, 1),
    builder: checked.builder === ZeroHash || checked.builder === builderCode,
  };
  for (const [field, is] of Object.entries(isRight)) if (!is) throw refusal(field);
  return Object.freeze(checked);
}

/**
 * Checks that a token is traded on the exchange that an order is signed for. Ids of Conditional Tokens
 * are signed only for the two exchanges of Protocol V1 (domain version "2"), and well-formed position
 * ids of Protocol V2 only for ExchangeV3 (domain version "3"; polymarket-protocol-v2.md 1.3). The
 * official client would sign any pair. Throws for any other pair.
 */
export function checkExchange(tokenId: string, domain: ExchangeDomain, chainId: ChainId): void {
  const exchange = EXCHANGES.find((name) =>
    isDeepStrictEqual(getExchangeDomain(chainId, name), domain),
  );
  if (exchange === undefined) throw refusal("domain");
  const isTradedThere =
    exchange === "v3" ? isBookPositionId(tokenId) : isConditionalTokenId(tokenId);
  if (!isTradedThere) throw refusal("tokenId");
}

/**
 * Checks that a session key may sign orders now: it has not expired, and its scopes include the book.
 *
 * @throws SESSION_KEY_EXPIRED after its end.
 */
export function checkSessionKey(key: SessionKey, at: number): void {
  const expired = refuseExpiredKey(key, at);
  if (expired) throw new AppError(expired.code, expired.message);
  if (!canTrade(key.scopes)) throw refusal("scope");
}

/** Checks a request for API credentials in the same way. */
export function checkClaim(
  request: { timestamp: string; nonce: string },
  at: number,
): { timestamp: string; nonce: string } {
  const claim = z.strictObject({
    timestamp: z.string().refine((text) => isInstantNear(text, at, 1000)),
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
