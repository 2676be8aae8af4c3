import {
  concat,
  getBytes,
  hashMessage,
  toBeHex,
  toUtf8Bytes,
  TypedDataEncoder,
  Wallet,
} from "ethers";
import { describe, expect, it } from "vitest";
import { CONTRACT, getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import { computeOrderHash, type OrderStruct } from "@/lib/polymarket/protocol/order-hash";
import { signOrderInSession, signOrderStruct } from "@/lib/polymarket/protocol/order-signature";
import {
  decodePositionCall,
  encodePositionCall,
  type PositionCall,
} from "@/lib/polymarket/protocol/position-calls";
import {
  createBinaryPositions,
  createNegRiskPositions,
  isBookPositionId,
  isConditionalTokenId,
  toPositionConditionId,
} from "@/lib/polymarket/protocol/position-id";
import { computeProxyHash, encodeProxyCalls } from "@/lib/polymarket/protocol/proxy-transaction";
import {
  signBatch,
  signProxyTransaction,
  signSafeTransaction,
} from "@/lib/polymarket/protocol/relayer-signature";
import {
  toBatchSubmission,
  toProxySubmission,
  toSafeSubmission,
} from "@/lib/polymarket/protocol/relayer-submission";
import { toSafeTransaction } from "@/lib/polymarket/protocol/safe-transaction";
import { buildAuthorizeCall, buildRevokeCall } from "@/lib/polymarket/protocol/session-calls";
import { wrapSessionSignature } from "@/lib/polymarket/protocol/session-envelope";
import {
  addressWord,
  Drawing,
  encodeCall,
  encodeMultiSend,
  encodeProxy,
  hashProxy,
  packPosition,
  word,
  wrapInSession,
} from "@/tests/support/polymarket/reference-encoder";
import { Random, readSeed } from "@/tests/support/random";

/** More than the recorded vectors of each kind have: 66 orders, 39 ids, 36 calls, 68 submissions. */
const ROUNDS = 120;
const seed = readSeed();
const CHAIN = 137;

/** Draws and compares in each round. A failure names the seed, which PRODUCT_SEED repeats. */
function compareDrawn(name: string, compare: (draw: Drawing, note: string) => void): void {
  it(name, () => {
    const draw = new Drawing(new Random(seed));
    for (let round = 0; round < ROUNDS; round += 1) {
      compare(draw, `PRODUCT_SEED=${seed}, round ${round}`);
    }
  });
}

const ORDER = {
  Order: [
    ["uint256", "salt"],
    ["address", "maker"],
    ["address", "signer"],
    ["uint256", "tokenId"],
    ["uint256", "makerAmount"],
    ["uint256", "takerAmount"],
    ["uint8", "side"],
    ["uint8", "signatureType"],
    ["uint256", "timestamp"],
    ["bytes32", "metadata"],
    ["bytes32", "builder"],
  ].map(([type = "", name = ""]) => ({ type, name })),
};
const ORDER_TEXT = `Order(${ORDER.Order.map(({ type, name }) => `${type} ${name}`).join(",")})`;
const SIGN = {
  ...ORDER,
  TypedDataSign: [
    { name: "contents", type: "Order" },
    { name: "name", type: "string" },
    { name: "version", type: "string" },
    { name: "chainId", type: "uint256" },
    { name: "verifyingContract", type: "address" },
    { name: "salt", type: "bytes32" },
  ],
};

function drawOrder(draw: Drawing, type: 0 | 1 | 2 | 3): OrderStruct {
  const maker = draw.address();
  return {
    salt: String(draw.number(53)),
    maker,
    signer: type === 3 ? maker : draw.address(),
    tokenId: String(draw.number(256)),
    makerAmount: String(draw.number(60)),
    takerAmount: String(draw.number(60)),
    side: draw.random.pick(["BUY", "SELL"]),
    signatureType: type,
    timestamp: String(draw.number(42)),
    metadata: draw.bytes(32),
    builder: draw.bytes(32),
  };
}

/** The signature of an order, from the reference alone (polymarket.md 3.4). */
function signReference(
  key: Wallet,
  order: OrderStruct,
  domain: ReturnType<typeof getExchangeDomain>,
): string {
  const contents = { ...order, side: order.side === "BUY" ? 0 : 1 };
  if (order.signatureType !== 3) {
    return key.signingKey.sign(TypedDataEncoder.hash(domain, ORDER, contents)).serialized;
  }
  const message = {
    contents,
    name: "DepositWallet",
    version: "1",
    chainId: domain.chainId,
    verifyingContract: order.maker,
    salt: word(0),
  };
  const text = toUtf8Bytes(ORDER_TEXT);
  return concat([
    key.signingKey.sign(TypedDataEncoder.hash(domain, SIGN, message)).serialized,
    TypedDataEncoder.hashDomain(domain),
    TypedDataEncoder.hashStruct("Order", ORDER, contents),
    text,
    toBeHex(text.length, 2),
  ]);
}

describe("random orders", () => {
  for (const type of [0, 1, 2, 3] as const) {
    compareDrawn(`of type ${type} have the reference's id and signature`, (draw, note) => {
      const exchange = draw.random.pick(["v3", "ctf", "negRisk"] as const);
      const domain = getExchangeDomain(draw.random.pick([137, 80_002]), exchange);
      const [order, key] = [drawOrder(draw, type), new Wallet(draw.bytes(32))];
      const contents = { ...order, side: order.side === "BUY" ? 0 : 1 };
      const hash = TypedDataEncoder.hash(domain, ORDER, contents);
      expect(computeOrderHash(order, domain), note).toBe(hash);
      const signature = signReference(key, order, domain);
      expect(signOrderStruct(key, order, domain), note).toBe(signature);
      if (type !== 3) return;
      const wrapped = wrapInSession(key.address, signature);
      expect(signOrderInSession(key, order, domain), note).toBe(wrapped);
    });
  }
});

describe("random ids", () => {
  compareDrawn("of Protocol V2 have the reference's layout", (draw, note) => {
    const hash = draw.bytes(32);
    const base = hash.slice(-32);
    const arity = draw.random.integer(2, 65_535);
    const index = draw.random.integer(0, arity);
    const binary = { module: 1, base, arity: 0, index: 0 };
    const negRisk = { module: 2, base, arity, index };
    for (const [made, fields] of [
      [createBinaryPositions(BigInt(hash)), binary],
      [createNegRiskPositions(BigInt(hash), arity, index), negRisk],
    ] as const) {
      const packed = [0, 1].map((outcome) => packPosition({ ...fields, outcome }));
      expect(made, note).toEqual(packed.map((hex) => BigInt(hex).toString()));
      for (const tokenId of made) {
        expect(isBookPositionId(tokenId), note).toBe(true);
        expect(isConditionalTokenId(tokenId), note).toBe(false);
        expect(toPositionConditionId(tokenId), note).toBe(packed[0]);
      }
    }
  });

  compareDrawn("outside of Protocol V2's namespace are of Protocol V1", (draw, note) => {
    const bytes = draw.bytes(32);
    // The reserved bits are bytes 19 to 26; one of them is set.
    const marked = draw.random.integer(19, 26);
    const at = 2 + 2 * marked;
    const hex = `${bytes.slice(0, at)}${draw.random.integer(1, 255).toString(16).padStart(2, "0")}${bytes.slice(at + 2)}`;
    const tokenId = BigInt(hex).toString();
    expect(isConditionalTokenId(tokenId), note).toBe(true);
    expect(isBookPositionId(tokenId), note).toBe(false);
  });
});

describe("random calls", () => {
  const { collateral, router } = CONTRACT;
  const FIXED = (conditionId: string, count: number) => [
    addressWord(collateral),
    word(0),
    conditionId,
    word(count * 32),
  ];
  const BOTH = [word(2), word(1), word(2)];

  function drawCalls(draw: Drawing): [PositionCall, string][] {
    const amount = draw.number(256);
    const contract = draw.random.pick([CONTRACT.ctfAdapter, CONTRACT.negRiskCtfAdapter]);
    const token = draw.random.pick([CONTRACT.conditionalTokens, CONTRACT.positionManager]);
    const [conditionId, short, spender] = [draw.bytes(32), draw.bytes(31), draw.address()];
    const long = `${short}00`;
    const outcome = draw.random.pick([0, 1] as const);
    const isApproved = draw.random.chance(0.5);
    const partition = "(address,bytes32,bytes32,uint256[]";
    const positions = (name: string) =>
      encodeCall(`${name}${partition},uint256)`, ...FIXED(conditionId, 5), word(amount), ...BOTH);
    return [
      [
        { kind: "approve", spender, amount },
        encodeCall("approve(address,uint256)", addressWord(spender), word(amount)),
      ],
      [
        { kind: "setOperator", token, operator: spender, isApproved },
        encodeCall(
          "setApprovalForAll(address,bool)",
          addressWord(spender),
          word(isApproved ? 1 : 0),
        ),
      ],
      [{ kind: "split", contract, conditionId, amount }, positions("splitPosition")],
      [{ kind: "merge", contract, conditionId, amount }, positions("mergePositions")],
      [
        { kind: "redeem", contract, conditionId },
        encodeCall(`redeemPositions${partition})`, ...FIXED(conditionId, 4), ...BOTH),
      ],
      ...(["split", "merge"] as const).map((kind): [PositionCall, string] => [
        { kind, contract: router, conditionId: long, amount },
        encodeCall(`${kind}(bytes31,uint256)`, long, word(amount)),
      ]),
      [
        { kind: "redeemOutcome", conditionId: long, outcome, amount },
        encodeCall("redeem(bytes31,uint256,uint256)", long, word(outcome), word(amount)),
      ],
    ];
  }

  compareDrawn(
    "on positions have the reference's bytes, and are decoded from them",
    (draw, note) => {
      for (const [call, data] of drawCalls(draw)) {
        const encoded = encodePositionCall(call);
        expect(encoded.data, `${note}, ${call.kind}`).toBe(data);
        expect(decodePositionCall({ ...encoded, data }), `${note}, ${call.kind}`).toEqual(call);
      }
    },
  );

  compareDrawn("on session keys have the reference's bytes", (draw, note) => {
    const [wallet, address, validUntil] = [draw.address(), draw.address(), draw.number(64)];
    const key = addressWord(address);
    expect(buildAuthorizeCall(wallet, { address, validUntil }).data, note).toBe(
      encodeCall("authorizeSessionSigner(address,uint256)", key, word(validUntil)),
    );
    expect(buildRevokeCall(wallet, address).data, note).toBe(
      encodeCall("revokeSessionSigner(address)", key),
    );
  });
});

describe("random submissions", () => {
  const metadata = "random";

  compareDrawn("of deposit wallets have the reference's signature and envelope", (draw, note) => {
    const key = new Wallet(draw.bytes(32));
    const wallet = draw.address();
    const [nonce, deadline, calls] = [draw.number(64), draw.number(40), draw.list(4, draw.call)];
    const domain = {
      name: "DepositWallet",
      version: "1",
      chainId: CHAIN,
      verifyingContract: wallet,
    };
    const types = {
      Call: [
        { name: "target", type: "address" },
        { name: "value", type: "uint256" },
        { name: "data", type: "bytes" },
      ],
      Batch: [
        { name: "wallet", type: "address" },
        { name: "nonce", type: "uint256" },
        { name: "deadline", type: "uint256" },
        { name: "calls", type: "Call[]" },
      ],
    };
    const batch = { wallet, nonce, deadline, calls };
    const digest = TypedDataEncoder.hash(domain, types, batch);
    const signature = signBatch(key, batch, CHAIN);
    expect(signature, note).toBe(key.signingKey.sign(digest).serialized);
    const session = { sessionAddress: key.address, signature };
    expect(wrapSessionSignature(session), note).toBe(wrapInSession(key.address, signature));
    const from = key.address;
    expect(toBatchSubmission(batch, { from, signature, metadata }), note).toEqual({
      type: "WALLET",
      from,
      to: "0x00000000000Fb5C9ADea0298D729A0CB3823Cc07",
      nonce: String(nonce),
      signature,
      metadata,
      depositWalletParams: {
        depositWallet: wallet,
        deadline: String(deadline),
        calls: calls.map(({ target, data }) => ({ target, value: "0", data })),
      },
    });
  });

  compareDrawn("of Safes have the reference's data and signature", (draw, note) => {
    const key = new Wallet(draw.bytes(32));
    const [safe, nonce, calls] = [draw.address(), draw.number(64), draw.list(4, draw.call)];
    const [only, second] = calls;
    const isSingle = second === undefined;
    const data = isSingle ? (only?.data ?? "") : encodeMultiSend(calls);
    const to = isSingle ? (only?.target ?? "") : "0xA238CBeb142c10Ef7Ad8442C6D1f9E89e07e7761";
    const transaction = toSafeTransaction(calls, { safe, nonce });
    expect(transaction, note).toMatchObject({ to, data, operation: isSingle ? 0 : 1 });
    const names = ["safeTxGas", "baseGas", "gasPrice"].map((name) => ({ name, type: "uint256" }));
    const types = {
      SafeTx: [
        { name: "to", type: "address" },
        { name: "value", type: "uint256" },
        { name: "data", type: "bytes" },
        { name: "operation", type: "uint8" },
        ...names,
        { name: "gasToken", type: "address" },
        { name: "refundReceiver", type: "address" },
        { name: "nonce", type: "uint256" },
      ],
    };
    const free = { safeTxGas: 0, baseGas: 0, gasPrice: 0 };
    const zeroAddress = `0x${"0".repeat(40)}`;
    const message = {
      ...free,
      to,
      value: 0,
      data,
      operation: isSingle ? 0 : 1,
      gasToken: zeroAddress,
      refundReceiver: zeroAddress,
      nonce,
    };
    const hash = TypedDataEncoder.hash({ chainId: CHAIN, verifyingContract: safe }, types, message);
    const { r, s, v } = key.signingKey.sign(hashMessage(getBytes(hash)));
    const signature = concat([r, s, toBeHex(v + 4)]);
    expect(signSafeTransaction(key, transaction, CHAIN), note).toBe(signature);
    const from = key.address;
    expect(toSafeSubmission(transaction, { from, signature, metadata }), note).toEqual({
      type: "SAFE",
      from,
      to,
      proxyWallet: safe,
      data,
      nonce: String(nonce),
      signature,
      metadata,
      signatureParams: {
        baseGas: "0",
        gasPrice: "0",
        gasToken: zeroAddress,
        operation: isSingle ? "0" : "1",
        refundReceiver: zeroAddress,
        safeTxnGas: "0",
      },
    });
  });

  compareDrawn("of proxy wallets have the reference's data and signature", (draw, note) => {
    const key = new Wallet(draw.bytes(32));
    const from = key.address;
    const calls = draw.list(4, draw.call);
    const data = encodeProxy(calls);
    expect(encodeProxyCalls(calls), note).toBe(data);
    const [gasLimit, nonce, relay] = [draw.number(40), draw.number(64), draw.address()];
    const transaction = { from, data, gasLimit, nonce, relay };
    const relayHub = "0xD216153c06E857cD7f72665E0aF1d7D82172F494";
    const factory = "0xaB45c5A4B0c941a2F231C04C3f49182e1A254052";
    const hash = hashProxy(transaction, { factory, relayHub });
    expect(computeProxyHash(transaction), note).toBe(hash);
    const signature = key.signingKey.sign(hashMessage(getBytes(hash))).serialized;
    expect(signProxyTransaction(key, transaction), note).toBe(signature);
    const proxyWallet = draw.address();
    expect(toProxySubmission(transaction, { proxyWallet, signature, metadata }), note).toEqual({
      type: "PROXY",
      from,
      to: factory,
      proxyWallet,
      data,
      nonce: String(nonce),
      signature,
      metadata,
      signatureParams: {
        gasPrice: "0",
        gasLimit: String(gasLimit),
        relayerFee: "0",
        relayHub,
        relay,
      },
    });
  });
});
