import { Wallet } from "ethers";
import { describe, expect, it } from "vitest";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import type { WalletCall } from "@/lib/polymarket/protocol/position-calls";
import {
  computeProxyHash,
  decodeProxyCalls,
  encodeProxyCalls,
  type ProxyTransaction,
} from "@/lib/polymarket/protocol/proxy-transaction";
import {
  computeBatchDigest,
  type DepositWalletBatch,
} from "@/lib/polymarket/protocol/relayer-batch";
import {
  recoverBatchSigner,
  recoverProxySigner,
  recoverSafeCreator,
  recoverSafeSigner,
  signBatch,
  signProxyTransaction,
  signSafeCreation,
  signSafeTransaction,
} from "@/lib/polymarket/protocol/relayer-signature";
import {
  toBatchSubmission,
  toProxySubmission,
  toSafeCreation,
  toSafeSubmission,
  toWalletCreation,
} from "@/lib/polymarket/protocol/relayer-submission";
import {
  computeSafeHash,
  listSafeCalls,
  type SafeTransaction,
  toSafeTransaction,
} from "@/lib/polymarket/protocol/safe-transaction";
import {
  unwrapSessionSignature,
  wrapSessionSignature,
} from "@/lib/polymarket/protocol/session-envelope";
import { deriveProxyWallet, deriveSafeWallet } from "@/lib/polymarket/protocol/wallets";
import { readRecorded } from "@/tests/support/polymarket/recorded-data";

interface Held {
  name: string;
  privateKey: string;
  keyAddress: string;
}
interface Submitted {
  from: string;
  nonce: string;
  signature: string;
  metadata?: string;
}
interface WireCall {
  target: string;
  value: string;
  data: string;
}
interface DepositVector extends Held {
  kind: "DEPOSIT";
  body: Submitted & {
    depositWalletParams: { depositWallet: string; deadline: string; calls: WireCall[] };
  };
  digest: string;
  sessionKey: { privateKey: string; address: string; innerSignature: string; signature: string };
}
interface SafeVector extends Held {
  kind: "SAFE";
  body: Submitted & {
    to: string;
    data: string;
    proxyWallet: string;
    signatureParams: { operation: string };
  };
  safeTxHash: string;
}
interface ProxyVector extends Held {
  kind: "PROXY";
  body: Submitted & {
    data: string;
    proxyWallet: string;
    signatureParams: { gasLimit: string; relay: string };
  };
  relayHash: string;
}

const { vectors, walletCreate } = readRecorded<{
  vectors: (DepositVector | SafeVector | ProxyVector)[];
  walletCreate: { body: Record<string, string> };
}>("relayer/submissions.json");
const DEPOSIT = vectors.filter((vector) => vector.kind === "DEPOSIT");
const SAFE = vectors.filter((vector) => vector.kind === "SAFE");
const PROXY = vectors.filter((vector) => vector.kind === "PROXY");

interface GoldenBatch {
  name: string;
  message: { wallet: string; nonce: string; deadline: string; calls: WireCall[] };
  digest: string;
  signature: string;
  sessionSigner: string;
  sessionSignature: string;
}
const { vectors: GOLDEN } = readRecorded<{ vectors: GoldenBatch[] }>("relayer/golden_batches.json");

/** The first of these vectors that fits. */
function find<T>(list: readonly T[], fits: (vector: T) => boolean = () => true): T {
  const found = list.find(fits);
  if (!found) throw new Error("no such vector");
  return found;
}

const toCalls = (calls: readonly WireCall[]): WalletCall[] =>
  calls.map((call) => ({ ...call, value: BigInt(call.value) }));

function toBatch({ body }: DepositVector): DepositWalletBatch {
  const { depositWallet, deadline, calls } = body.depositWalletParams;
  return {
    wallet: depositWallet,
    nonce: BigInt(body.nonce),
    deadline: BigInt(deadline),
    calls: toCalls(calls),
  };
}

const toSafe = ({ body }: SafeVector): SafeTransaction => ({
  safe: body.proxyWallet,
  to: body.to,
  value: 0n,
  data: body.data,
  operation: body.signatureParams.operation === "1" ? 1 : 0,
  nonce: BigInt(body.nonce),
});

const toProxy = ({ body }: ProxyVector): ProxyTransaction => ({
  from: body.from,
  data: body.data,
  gasLimit: BigInt(body.signatureParams.gasLimit),
  nonce: BigInt(body.nonce),
  relay: body.signatureParams.relay,
});

/** Only `@polymarket/client` has keys in alphabetical order; the older client has its own. */
const hasSdkOrder = ({ name }: Held) => !name.includes("builder-relayer-client");

/** Expects the same body; with the unified client, the same bytes. */
function expectBody(actual: unknown, vector: Held & { body: Submitted }) {
  const recorded = { metadata: "", ...vector.body };
  expect(actual).toEqual(recorded);
  if (hasSdkOrder(vector)) expect(JSON.stringify(actual)).toBe(JSON.stringify(vector.body));
}

describe("a deposit wallet's batch", () => {
  it("is recorded for several kinds of calls", () => expect(DEPOSIT.length).toBeGreaterThan(25));

  it.each(DEPOSIT)("$name has its digest, signature and body", (vector) => {
    const batch = toBatch(vector);
    expect(computeBatchDigest(batch, 137)).toBe(vector.digest);
    const signature = signBatch(new Wallet(vector.privateKey), batch, 137);
    const { from, metadata = "" } = vector.body;
    expectBody(toBatchSubmission(batch, { from, signature, metadata }), vector);
    expect(recoverBatchSigner(batch, 137, signature)).toEqual({
      address: vector.keyAddress,
      isSessionKey: false,
    });
  });

  it.each(DEPOSIT)("$name has its session key's envelope", (vector) => {
    const { privateKey, address, innerSignature, signature } = vector.sessionKey;
    const inner = signBatch(new Wallet(privateKey), toBatch(vector), 137);
    expect(inner).toBe(innerSignature);
    expect(wrapSessionSignature({ sessionAddress: address, signature: inner })).toBe(signature);
    expect(recoverBatchSigner(toBatch(vector), 137, signature)).toEqual({
      address,
      isSessionKey: true,
    });
  });

  it.each(GOLDEN)("$name agrees with the published batch", (golden) => {
    const { message, digest, signature, sessionSigner, sessionSignature } = golden;
    const batch = {
      ...message,
      nonce: BigInt(message.nonce),
      deadline: BigInt(message.deadline),
      calls: toCalls(message.calls),
    };
    expect(computeBatchDigest(batch, 137)).toBe(digest);
    expect(wrapSessionSignature({ sessionAddress: sessionSigner, signature })).toBe(
      sessionSignature,
    );
  });

  it("is not signed by a session key whose envelope names another key", () => {
    const vector = find(DEPOSIT);
    const batch = toBatch(vector);
    const { innerSignature } = vector.sessionKey;
    const sessionAddress = vector.keyAddress;
    const signature = wrapSessionSignature({ sessionAddress, signature: innerSignature });
    expect(recoverBatchSigner(batch, 137, signature)).toBeNull();
  });

  it("has no envelope when bytes are added, changed or missing", () => {
    const { signature } = find(DEPOSIT).sessionKey;
    expect(unwrapSessionSignature(signature)).not.toBeNull();
    const changed = [
      `${signature}00`,
      signature.slice(0, -2),
      signature.replace(/^0x00/, "0x01"),
      // A byte of the padding after the inner signature.
      `${signature.slice(0, -66)}01${signature.slice(-64)}`,
      "0x",
      "not hex",
    ];
    expect(changed.map(unwrapSessionSignature)).toEqual(changed.map(() => null));
  });
});

describe("a Safe's transaction", () => {
  it("is recorded for several kinds of calls", () => expect(SAFE.length).toBeGreaterThan(15));

  it.each(SAFE)("$name has its hash, signature and body", (vector) => {
    const transaction = toSafe(vector);
    expect(computeSafeHash(transaction, 137)).toBe(vector.safeTxHash);
    const signature = signSafeTransaction(new Wallet(vector.privateKey), transaction, 137);
    const { from, metadata = "" } = vector.body;
    expectBody(toSafeSubmission(transaction, { from, signature, metadata }), vector);
    expect(recoverSafeSigner(transaction, 137, signature)).toBe(vector.keyAddress);
  });

  it.each(SAFE)("$name is made of its calls again", (vector) => {
    const transaction = toSafe(vector);
    const calls = listSafeCalls(transaction);
    expect(calls).not.toBeNull();
    const { safe, nonce } = transaction;
    expect(toSafeTransaction(calls ?? [], { safe, nonce })).toEqual(transaction);
  });

  it("runs no code but MultiSend's, and none nested in it", () => {
    const several = toSafe(find(SAFE, ({ body }) => body.signatureParams.operation === "1"));
    const first = 2 + (4 + 64) * 2;
    const nested = `${several.data.slice(0, first)}01${several.data.slice(first + 2)}`;
    const refused: SafeTransaction[] = [
      { ...several, to: CONTRACT.router },
      { ...several, value: 1n },
      { ...several, data: nested },
      { ...several, data: `${several.data}00` },
      { ...several, data: several.data.slice(0, -64) },
      { ...several, data: "0x" },
    ];
    expect(refused.map(listSafeCalls)).toEqual(refused.map(() => null));
  });

  it("is not signed by an ordinary message signature without the added 4", () => {
    const transaction = toSafe(find(SAFE));
    const { signature } = find(SAFE).body;
    const plain = `${signature.slice(0, -2)}${signature.endsWith("1f") ? "1b" : "1c"}`;
    expect(recoverSafeSigner(transaction, 137, signature)).toBe(find(SAFE).keyAddress);
    expect(recoverSafeSigner(transaction, 137, plain)).toBeNull();
    expect(recoverSafeSigner(transaction, 137, "0x")).toBeNull();
  });

  it("creates the owner's Safe with a signature that its owner made", () => {
    const owner = new Wallet(find(SAFE).privateKey);
    const safe = deriveSafeWallet(owner.address);
    const signature = signSafeCreation(owner, 137);
    expect(recoverSafeCreator(137, signature)).toBe(owner.address);
    expect(recoverSafeCreator(80_002, signature)).not.toBe(owner.address);
    expect(toSafeCreation(owner.address, { safe, signature })).toMatchObject({
      type: "SAFE-CREATE",
      from: owner.address,
      proxyWallet: safe,
      data: "0x",
    });
  });
});

describe("a proxy wallet's transaction", () => {
  it("is recorded for several kinds of calls", () => expect(PROXY.length).toBeGreaterThan(15));

  it.each(PROXY)("$name has its hash, signature and body", (vector) => {
    const transaction = toProxy(vector);
    expect(computeProxyHash(transaction)).toBe(vector.relayHash);
    const signature = signProxyTransaction(new Wallet(vector.privateKey), transaction);
    const proxyWallet = deriveProxyWallet(vector.keyAddress);
    const { metadata = "" } = vector.body;
    expectBody(toProxySubmission(transaction, { proxyWallet, signature, metadata }), vector);
    expect(recoverProxySigner(transaction, signature)).toBe(vector.keyAddress);
  });

  it.each(PROXY)("$name is made of its calls again", (vector) => {
    const calls = decodeProxyCalls(vector.body.data);
    expect(calls).not.toBeNull();
    expect(encodeProxyCalls(calls ?? [])).toBe(vector.body.data);
  });

  it("holds ordinary calls only, in their exact encoding", () => {
    const { data } = find(PROXY, ({ name }) => name === "PROXY redeemPositions ctf").body;
    const typeCode = data.indexOf("1", 10 + 64 * 3);
    const delegated = `${data.slice(0, typeCode)}2${data.slice(typeCode + 1)}`;
    expect(decodeProxyCalls(data)).not.toBeNull();
    const refused = [delegated, `${data}00`, data.slice(0, -2), "0x34ee9791", "0x", "x"];
    expect(refused.map(decodeProxyCalls)).toEqual(refused.map(() => null));
  });
});

it("a deposit wallet is created by the recorded body", () => {
  const { body } = walletCreate;
  expect(JSON.stringify(toWalletCreation(body["from"] ?? ""))).toBe(JSON.stringify(body));
});
