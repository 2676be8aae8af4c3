import "server-only";
import { hexlify, Wallet } from "ethers";
import { now } from "@/lib/clock";
import { withLiveSecret } from "@/lib/custody/live-secret";
import { checkedClaim, checkedOrder } from "@/lib/custody/signing-policy";
import { getDb } from "@/lib/db/client";
import { type LiveWalletRow, selectLiveWallet } from "@/lib/db/queries/live-wallets";
import { env } from "@/lib/env";
import { AppError, assert } from "@/lib/errors";
import {
  CLOB_AUTH_TYPES,
  clobAuthDomain,
  clobAuthValue,
  isClobAuthGenuine,
} from "@/lib/polymarket/clob-auth";
import { exchangeDomain } from "@/lib/polymarket/contracts";
import { orderHash, type OrderStruct } from "@/lib/polymarket/order-hash";
import { recoverOwner, signOrderStruct } from "@/lib/polymarket/order-signature";
import type { OwnershipProof } from "@/lib/venue/trader";

/**
 * Signs an order of this very wallet for one of the two pinned exchanges. The order is checked
 * before, and the signature afterwards. Throws for everything else.
 */
export async function signOrder(
  wallet: LiveWalletRow,
  order: OrderStruct,
  isNegRisk: boolean,
): Promise<string> {
  const checked = checkedOrder(order, wallet, now());
  const domain = exchangeDomain(env().POLYGON_CHAIN_ID, isNegRisk);
  const signature = await asOwner(wallet, async (owner) => signOrderStruct(owner, checked, domain));
  assert(
    orderHash(order, domain) === orderHash(checked, domain),
    "an order stays as it is while it is signed",
  );
  assert(
    recoverOwner(checked, domain, signature) === wallet.address,
    "a signature is the owner's, for exactly this order and exchange",
  );
  return signature;
}

/** Signs that the owner of the user's live wallet asks for API credentials now. */
export async function signClobAuth(
  userId: string,
  request: { timestamp: string; nonce: string },
): Promise<OwnershipProof> {
  const { timestamp, nonce } = checkedClaim(request, now());
  const wallet = await selectLiveWallet(await getDb(), userId);
  if (!wallet) throw new AppError("WALLET_NOT_FOUND", "this user has no live wallet");
  const claim = { address: wallet.address, timestamp, nonce };
  const chainId = env().POLYGON_CHAIN_ID;
  const signature = await asOwner(wallet, (owner) =>
    owner.signTypedData(clobAuthDomain(chainId), CLOB_AUTH_TYPES, clobAuthValue(claim)),
  );
  assert(isClobAuthGenuine(claim, chainId, signature), "a claim is signed by its own address");
  return { ...claim, signature };
}

/**
 * Lends the owner's key for one signature. Every call opens its own copy, so that no signature waits
 * for, or loses its key to, another. Our bytes are wiped; the copy that ethers makes as text is left
 * to the garbage collector, because text cannot be wiped.
 */
function asOwner(wallet: LiveWalletRow, sign: (owner: Wallet) => Promise<string>): Promise<string> {
  return withLiveSecret(wallet, "key", async (privateKey) => {
    const owner = new Wallet(hexlify(privateKey));
    assert(owner.address === wallet.address, "a stored key is that of its wallet's address");
    return sign(owner);
  });
}
