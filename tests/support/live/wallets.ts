// Live wallets for tests: owners with known keys, and orders that they may sign.
import { randomBytes } from "node:crypto";
import { Wallet } from "ethers";
import { now } from "@/lib/clock";
import { liveWalletContext } from "@/lib/custody/contexts";
import { seal } from "@/lib/custody/seal";
import { getDb } from "@/lib/db/client";
import { type LiveWalletRow, putLiveWallet } from "@/lib/db/queries/live-wallets";
import { markets, orders } from "@/lib/db/schema/trading";
import type { SessionKey } from "@/lib/domain/session-key";
import type { OrderStatus } from "@/lib/domain/order-status";
import type { OrderStruct, SignatureType } from "@/lib/polymarket/protocol/order-hash";
import {
  deriveDepositWallet,
  deriveProxyWallet,
  deriveSafeWallet,
} from "@/lib/polymarket/protocol/wallets";
import { price, shares, usdc } from "@/lib/units";

export const ZERO_BYTES = `0x${"0".repeat(64)}`;

export interface Owner {
  privateKey: string;
  address: string;
  /** By signature type. */
  funders: Record<SignatureType, string>;
}

export function createOwner(): Owner {
  const privateKey = `0x${randomBytes(32).toString("hex")}`;
  const { address } = new Wallet(privateKey);
  const [proxy, safe] = [deriveProxyWallet(address), deriveSafeWallet(address)];
  return {
    privateKey,
    address,
    funders: { 0: address, 1: proxy, 2: safe, 3: deriveDepositWallet(address) },
  };
}

/** Stores a wallet without checking its funder: recorded orders have invented ones. */
export async function storeWallet(
  owned: Pick<LiveWalletRow, "userId" | "address" | "funderAddress" | "signatureType">,
  privateKey: string,
  sessionKey: SessionKey | null = null,
): Promise<LiveWalletRow> {
  const bytes = Buffer.from(privateKey.slice(2), "hex");
  const identity = { ...owned, sessionExpiresAt: sessionKey?.expiresAt ?? null };
  const sealedKey = await seal(bytes, liveWalletContext(identity, "key"));
  const row = {
    ...identity,
    sealedKey,
    sealedCredentials: null,
    createdAt: new Date(now()),
    sessionScopes: sessionKey && [...sessionKey.scopes],
    sessionNotice: null,
  };
  await putLiveWallet(await getDb(), row);
  return row;
}

/** Builds an order that the owner's wallet of this type may sign now. */
export function buildOrder(owner: Owner, signatureType: SignatureType): OrderStruct {
  const maker = owner.funders[signatureType];
  return {
    salt: "479249096354",
    maker,
    signer: signatureType === 3 ? maker : owner.address,
    tokenId: "71321045679252212594626385532706912750332728571942532289631379312455583992563",
    makerAmount: "5200000",
    takerAmount: "10000000",
    side: "BUY",
    signatureType,
    timestamp: String(now()),
    metadata: ZERO_BYTES,
    builder: ZERO_BYTES,
  };
}

/** Inserts the row of a live order with this status, without anything else. */
export async function insertLiveOrder(userId: string, status: OrderStatus): Promise<void> {
  const db = await getDb();
  const at = new Date(now());
  const id = randomBytes(8).toString("hex");
  await db.insert(markets).values({
    id: `0x${id}`,
    slug: id,
    title: "A market of a remote venue",
    icon: "",
    firstToken: `${id}-1`,
    secondToken: `${id}-2`,
    firstOutcome: "Yes",
    secondOutcome: "No",
    tick: price(10_000n),
    feeRate: 0n,
    isNegRisk: false,
    opensAt: at,
    closesAt: at,
    resolvesAt: at,
  });
  await db.insert(orders).values({
    id: `ord_${id}`,
    userId,
    epoch: 0,
    marketId: `0x${id}`,
    tokenId: `${id}-1`,
    outcome: 0,
    action: "BUY",
    type: "limit",
    price: price(500_000n),
    shares: shares(10_000_000n),
    status,
    filledShares: shares(0n),
    filledNotional: usdc(0n),
    fee: usdc(0n),
    held: 0n,
    bookSide: "bid",
    idempotencyKeyJson: JSON.stringify(id),
    createdAt: at,
    updatedAt: at,
  });
}
