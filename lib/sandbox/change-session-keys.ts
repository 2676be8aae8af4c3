import "server-only";
import { createHash, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { getAddress, isAddress } from "ethers";
import { z } from "zod";
import { now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import {
  putSandboxSessionKey,
  revokeSandboxSessionKey,
  selectSandboxSessionKeys,
} from "@/lib/db/queries/sandbox-session-keys";
import {
  hasActiveTransaction,
  incrementNonce,
  insertTransaction,
  lockWallet,
  type RelayedTransaction,
  selectTransaction,
} from "@/lib/db/queries/sandbox-transactions";
import { SESSION_KEY_LIFE_MS, SESSION_SCOPES } from "@/lib/domain/session-key";
import { env } from "@/lib/env";
import type { WalletCall } from "@/lib/polymarket/protocol/position-calls";
import { recoverBatchSigner } from "@/lib/polymarket/protocol/relayer-signature";
import { buildAuthorizeCall, buildRevokeCall } from "@/lib/polymarket/protocol/session-calls";
import { deriveDepositWallets } from "@/lib/polymarket/protocol/wallets";
import { chainId } from "@/lib/sandbox/authenticate";
import { isDeployed } from "@/lib/sandbox/deployed";
import { SandboxError } from "@/lib/sandbox/error";
import { readJsonBody } from "@/lib/sandbox/order-payload";
import type { RelayerCaller } from "@/lib/sandbox/relayer-auth";
import { cancelOrdersOfKey } from "@/lib/sandbox/session-keys";
import { settleWallet } from "@/lib/sandbox/settle-wallet";
import { toOldView } from "@/lib/sandbox/transaction-views";

/** The most keys of a wallet that are not revoked; expired ones count (polymarket-wallets.md 6.1). */
const MAX_KEYS = 15;
/** A batch must be valid for this long when it arrives. */
const LEAST_LEFT_S = 10n;
/** A client's clock may be ahead. */
const CLOCK_MARGIN_MS = 60_000;

const Address = z
  .string()
  .refine((text) => isAddress(text))
  .transform((text) => getAddress(text));
const Digits = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);
const Signed = {
  walletAddress: Address,
  sessionSignerAddress: Address,
  nonce: Digits,
  deadline: Digits,
  signature: z.string().regex(/^0x[0-9a-fA-F]+$/),
};
const Revocation = z.object(Signed);
const Authorization = z.object({
  ...Signed,
  scopes: z
    .array(z.enum(SESSION_SCOPES))
    .min(1)
    .refine((scopes) => new Set(scopes).size === scopes.length)
    .refine((scopes) => scopes.length === 1 || !scopes.includes("ALL")),
  validUntil: Digits,
});

/** What the owner of a deposit wallet signed. */
interface SignedChange extends z.output<typeof Revocation> {
  call: WalletCall;
}

/**
 * Serves `POST /v1/session-signers/authorizations`: lists a session key of a deposit wallet with its
 * owner's signature. A request that is repeated with its Idempotency-Key gets the same response.
 */
export async function authorizeSessionKey(
  caller: RelayerCaller,
  body: string,
  headers: Pick<Headers, "get">,
) {
  const wanted = parseBody(Authorization, body);
  const { walletAddress: wallet, sessionSignerAddress: address, scopes, validUntil } = wanted;
  // The venue's routes take no relayer key here.
  if (caller.address !== null) throw new SandboxError(401, "invalid authorization");
  const until = Number(validUntil) * 1000;
  if (until <= now() || until > now() + SESSION_KEY_LIFE_MS + CLOCK_MARGIN_MS) {
    throw new SandboxError(400, "invalid validUntil");
  }
  const call = buildAuthorizeCall(wallet, { address, validUntil });
  const done = await change(caller, { ...wanted, call }, headers, async (tx) => {
    const others = (await selectSandboxSessionKeys(tx, wallet)).filter(
      (key) => key.address !== address,
    );
    if (others.length >= MAX_KEYS) {
      throw new SandboxError(400, `at most ${MAX_KEYS} session signers per wallet`);
    }
    await putSandboxSessionKey(tx, {
      wallet,
      address,
      scopes,
      expiresAt: new Date(until),
      authorizedAt: new Date(now()),
    });
  });
  const { transactionID, transactionHash } = toOldView(done);
  return {
    operationId: done.id,
    status: "REGISTERED",
    transactionId: transactionID,
    transactionHash: transactionHash === "" ? null : transactionHash,
  };
}

/** Serves `POST /v1/session-signers/revocations`, and cancels the key's open orders. */
export async function revokeSessionSigner(
  caller: RelayerCaller,
  body: string,
  headers: Pick<Headers, "get">,
) {
  const wanted = parseBody(Revocation, body);
  const { walletAddress: wallet, sessionSignerAddress: address } = wanted;
  const call = buildRevokeCall(wallet, address);
  const done = await change(caller, { ...wanted, call }, headers, (tx) =>
    revokeSandboxSessionKey(tx, { wallet, address }, new Date(now())),
  );
  await cancelOrdersOfKey(wallet, address);
  return { fenced: true, operationId: done.id, status: "SWEPT", transactionId: done.id };
}

function parseBody<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> {
  const parsed = schema.safeParse(readJsonBody(body, "invalid transaction request payload"));
  if (parsed.success) return parsed.data;
  throw new SandboxError(400, "invalid transaction request payload");
}

/** Records a change of the wallet's list as its next transaction, which happens once. */
async function change(
  caller: RelayerCaller,
  wanted: SignedChange,
  headers: Pick<Headers, "get">,
  apply: (tx: Tx) => Promise<void>,
): Promise<RelayedTransaction> {
  const owner = verifyOwner(wanted);
  const { walletAddress: wallet, nonce } = wanted;
  if (caller.address !== null && caller.address !== owner) {
    throw new SandboxError(400, `from ${owner} does not match auth ${caller.address}`);
  }
  const transaction = toTransaction(caller, wanted, {
    owner,
    id: readOperationId(caller, headers),
  });
  const known = await findSameChange(await getDb(), transaction);
  if (known) return known;
  if (!(await isDeployed(wallet, "WALLET"))) {
    throw new SandboxError(400, `wallet ${wallet} is not deployed`);
  }
  await settleWallet(wallet);
  return withTransaction(async (tx) => {
    const row = await lockWallet(tx, wallet);
    // An equal request may have come first.
    const same = await findSameChange(tx, transaction);
    if (same) return same;
    if (await hasActiveTransaction(tx, row.address, new Date(now()))) {
      throw new SandboxError(400, "wallet busy: active action in progress");
    }
    if (row.nonce !== nonce) {
      const message = `batch nonce ${nonce} does not match on-chain nonce ${row.nonce}`;
      throw new SandboxError(400, message);
    }
    await apply(tx);
    // A request for another wallet may have come first.
    if (!(await insertTransaction(tx, transaction))) throw createKeyUsed();
    await incrementNonce(tx, row.address);
    return transaction;
  });
}

/** Finds the change that an Idempotency-Key stands for. Throws 409 if it is another one. */
async function findSameChange(
  tx: Tx,
  { id, wallet, calls }: RelayedTransaction,
): Promise<RelayedTransaction | null> {
  const known = await selectTransaction(tx, id);
  // A repeated request may be signed anew.
  const isOther = known && !(known.wallet === wallet && isDeepStrictEqual(known.calls, calls));
  if (isOther) throw createKeyUsed();
  return known;
}

const createKeyUsed = () => new SandboxError(409, "idempotency key was used for another request");

/** Checks that the wallet's owner signed exactly this call, and returns it. A session key may not. */
function verifyOwner({ walletAddress, nonce, deadline, signature, call }: SignedChange): string {
  if (deadline < BigInt(Math.floor(now() / 1000)) + LEAST_LEFT_S) {
    throw new SandboxError(400, "batch deadline is too soon");
  }
  const batch = { wallet: walletAddress, nonce, deadline, calls: [call] };
  const signer = recoverBatchSigner(batch, chainId(), signature);
  const isOwner =
    signer !== null &&
    !signer.isSessionKey &&
    deriveDepositWallets(signer.address).includes(walletAddress);
  if (!isOwner) throw new SandboxError(400, "invalid signature");
  return signer.address;
}

/** The id of an operation follows from its Idempotency-Key. */
function readOperationId({ keyId }: RelayerCaller, headers: Pick<Headers, "get">): string {
  const key = headers.get("idempotency-key");
  if (key === null) return randomUUID();
  return createHash("sha256").update(`${keyId}/${key}`).digest("hex");
}

function toTransaction(
  { keyId }: RelayerCaller,
  { walletAddress, nonce, call, signature }: SignedChange,
  { owner, id }: { owner: string; id: string },
): RelayedTransaction {
  const at = now();
  const lastsMs = env().SANDBOX_RELAYER_MS;
  return {
    id,
    wallet: walletAddress.toLowerCase(),
    sender: owner,
    type: "WALLET",
    nonce,
    calls: [{ target: call.target, data: call.data }],
    metadata: "",
    signature,
    keyId,
    createdAt: new Date(at),
    minedAt: new Date(at + lastsMs / 2),
    confirmedAt: new Date(at + lastsMs),
    // The list changes at once, as off chain at the venue.
    appliedAt: new Date(at),
    error: null,
  };
}
