import { concat, dataLength, toBeHex, ZeroAddress } from "ethers";
import { describe, expect, it } from "vitest";
import { type CallPermit, checkCalls, type PermittedMarket } from "@/lib/custody/call-policy";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import {
  decodePositionCall,
  encodePositionCall,
  type PositionCall,
  UNLIMITED,
  type WalletCall,
} from "@/lib/polymarket/protocol/position-calls";
import { FORBIDDEN_FUNCTIONS } from "@/tests/support/custody/forbidden-calls";
import {
  flipBit,
  mutateCall,
  RECORDED_CALLS,
  STRANGER,
  TARGETS,
} from "@/tests/support/custody/mutate-call";
import { Random, readSeed } from "@/tests/support/random";

const V1 = "0x1171bfba0ad9386688133910593527fe77ce5406a7ac2c9a3552ab5471c1ac51";
const V2 = `0x01${"ab".repeat(16)}${"00".repeat(15)}`;
const AMOUNT = 2_500_000n;
const MARKET: PermittedMarket = { conditionId: V1, protocol: "v1", isNegRisk: false };
const NEG_RISK: PermittedMarket = { conditionId: V1, protocol: "v1", isNegRisk: true };
const SECOND: PermittedMarket = { conditionId: V2, protocol: "v2", isNegRisk: true };

const check = (call: WalletCall, permit: CallPermit) => checkCalls([call], permit, 137);
const encode = encodePositionCall;

const REDEEM: PositionCall = {
  kind: "redeem",
  contract: CONTRACT.ctfAdapter,
  conditionId: V1,
};
const REDEEM_V2: PositionCall = {
  kind: "redeemOutcome",
  conditionId: V2,
  outcome: 0,
  amount: AMOUNT,
};

/** Calls that Ante makes, each with its permit. */
const OWN: { call: PositionCall; permit: CallPermit }[] = [MARKET, NEG_RISK].flatMap((market) => {
  const contract = market.isNegRisk ? CONTRACT.negRiskCtfAdapter : CONTRACT.ctfAdapter;
  const conditionId = V1;
  return [
    { call: { kind: "redeem", contract, conditionId }, permit: redeem(market) },
    ...(["split", "merge"] as const).map((kind) => ({
      call: { kind, contract, conditionId, amount: AMOUNT },
      permit: { kind, market, amount: AMOUNT },
    })),
  ];
});
OWN.push(
  ...([0, 1] as const).map((outcome) => ({
    call: { kind: "redeemOutcome", conditionId: V2, outcome, amount: AMOUNT } as const,
    // The other outcome isn't held, so that a call for it is a wrong one.
    permit: redeem(SECOND, outcome === 0 ? [AMOUNT, 0n] : [0n, AMOUNT]),
  })),
  ...(["split", "merge"] as const).map((kind) => ({
    call: { kind, contract: CONTRACT.router, conditionId: V2, amount: AMOUNT } as const,
    permit: { kind, market: SECOND, amount: AMOUNT },
  })),
  {
    call: { kind: "approve", spender: CONTRACT.router, amount: UNLIMITED },
    permit: { kind: "approve" },
  },
  {
    call: {
      kind: "setOperator",
      token: CONTRACT.positionManager,
      operator: CONTRACT.router,
      isApproved: true,
    },
    permit: { kind: "approve" },
  },
);

function redeem(
  market: PermittedMarket,
  holdings: readonly [bigint, bigint] = [AMOUNT, AMOUNT],
): CallPermit {
  return { kind: "redeem", market, holdings };
}

describe("checkCalls", () => {
  it.each(OWN)(
    "returns the bytes of a call that fits its permit: $call.kind",
    ({ call, permit }) => {
      expect(check(encode(call), permit)).toEqual([encode(call)]);
    },
  );

  it("refuses every call with the permit of another one", () => {
    for (const { call } of OWN) {
      for (const { call: other, permit } of OWN) {
        const isApproval = call.kind === "approve" || call.kind === "setOperator";
        const isSame =
          call.kind === other.kind &&
          "conditionId" in call &&
          "conditionId" in other &&
          call.conditionId === other.conditionId &&
          ("contract" in call ? call.contract : "") === ("contract" in other ? other.contract : "");
        if (isApproval || isSame) continue;
        expect(() => check(encode(call), permit)).toThrow("the signer refuses");
      }
    }
  });

  it("refuses another amount, another condition and the contract of another kind of market", () => {
    const split = { kind: "split", contract: CONTRACT.ctfAdapter, conditionId: V1 } as const;
    const permit = { kind: "split", market: MARKET, amount: AMOUNT } as const;
    const wrong: PositionCall[] = [
      { ...split, amount: AMOUNT + 1n },
      { ...split, amount: AMOUNT - 1n },
      { ...split, amount: AMOUNT, conditionId: `0x${"12".repeat(32)}` },
      { ...split, amount: AMOUNT, contract: CONTRACT.negRiskCtfAdapter },
      { ...split, amount: AMOUNT, contract: CONTRACT.router, conditionId: V2 },
    ];
    for (const call of wrong) {
      expect(() => check(encode(call), permit)).toThrow("the signer refuses: call 0");
    }
    const nothing = { ...split, amount: 0n };
    expect(() => check(encode(nothing), { ...permit, amount: 0n })).toThrow("call 0");
  });

  it("refuses a condition of a combo, and one whose width is not 64 digits", () => {
    const combo = `0x03${"ab".repeat(16)}${"00".repeat(15)}`;
    const call = { kind: "split", contract: CONTRACT.router, conditionId: combo } as const;
    const market = { ...SECOND, conditionId: combo };
    const permit = { kind: "split", market, amount: AMOUNT } as const;
    expect(() => check(encode({ ...call, amount: AMOUNT }), permit)).toThrow("call 0");
    const short = { ...MARKET, conditionId: V1.toUpperCase() };
    expect(() => check(encode(REDEEM), redeem(short))).toThrow("call 0");
  });

  it("refuses a condition of the other protocol", () => {
    expect(() => check(encode(REDEEM_V2), redeem({ ...SECOND, protocol: "v1" }))).toThrow("call 0");
    expect(() => check(encode(REDEEM), redeem({ ...MARKET, protocol: "v2" }))).toThrow();
  });

  it("refuses approvals of other contracts, and allows to end any approval", () => {
    const token = CONTRACT.conditionalTokens;
    const permit = { kind: "approve" } as const;
    for (const operator of [STRANGER, CONTRACT.router, CONTRACT.perpsDeposit, ZeroAddress]) {
      const call = { kind: "setOperator", token, operator, isApproved: true } as const;
      expect(() => check(encode(call), permit)).toThrow("call 0");
      expect(check(encode({ ...call, isApproved: false }), permit)).toHaveLength(1);
    }
    for (const spender of [STRANGER, CONTRACT.perpsDeposit, CONTRACT.multiSend, ZeroAddress]) {
      const call = { kind: "approve", spender, amount: UNLIMITED } as const;
      expect(() => check(encode(call), permit)).toThrow("call 0");
      expect(check(encode({ ...call, amount: 0n }), permit)).toHaveLength(1);
    }
  });

  it.each([1n, AMOUNT, UNLIMITED - 1n, UNLIMITED ^ (1n << 255n)])(
    "refuses an approval of %s, because Ante approves everything or nothing",
    (amount) => {
      const call = { kind: "approve", spender: CONTRACT.router, amount } as const;
      for (const permit of PERMITS) {
        expect(() => check(encode(call), permit)).toThrow("the signer refuses: call 0");
      }
    },
  );

  it("refuses no calls, and more than any transaction of Ante has", () => {
    const call = encode({ kind: "approve", spender: CONTRACT.router, amount: UNLIMITED });
    expect(() => checkCalls([], { kind: "approve" }, 137)).toThrow("number of calls");
    const many = Array.from({ length: 21 }, () => call);
    expect(() => checkCalls(many, { kind: "approve" }, 137)).toThrow("number of calls");
  });

  it("refuses a bad call beside good ones", () => {
    const good = encode({ kind: "approve", spender: CONTRACT.router, amount: UNLIMITED });
    const bad = { ...good, target: CONTRACT.conditionalTokens };
    expect(() => checkCalls([good, bad], { kind: "approve" }, 137)).toThrow("call 1");
  });
});

const { selectors, vectors } = RECORDED_CALLS;

/** The permit that fits what a vector's name says. */
function permitOf(call: PositionCall | null): CallPermit {
  if (!call || call.kind === "approve" || call.kind === "setOperator") return { kind: "approve" };
  const isNegRisk = "contract" in call && call.contract === CONTRACT.negRiskCtfAdapter;
  const isV2 = call.kind === "redeemOutcome" || call.contract === CONTRACT.router;
  const protocol = isV2 ? "v2" : "v1";
  const market = { conditionId: call.conditionId, protocol, isNegRisk } as const;
  if (call.kind === "split" || call.kind === "merge") {
    return { kind: call.kind, market, amount: call.amount };
  }
  const amount = call.kind === "redeemOutcome" ? call.amount : 0n;
  return { kind: "redeem", market, holdings: [amount, amount] };
}

describe("the recorded calls of the official clients", () => {
  it.each(vectors)("$name", ({ name, to, data }) => {
    const call = { target: to, value: 0n, data };
    const permit = permitOf(decodePositionCall(call));
    if (/MUST REFUSE|combo/.test(name)) {
      expect(() => check(call, permit)).toThrow("the signer refuses");
    } else {
      expect(check(call, permit)).toEqual([{ ...call, data: data.toLowerCase() }]);
    }
  });
});

const PERMITS: CallPermit[] = OWN.map(({ permit }) => permit);
const word = (value: bigint) => toBeHex(value, 32);

describe("transfers and withdrawals", () => {
  const ALLOWED =
    /^(approve|setApprovalForAll|splitPosition|mergePositions|redeemPositions|split|merge|redeem)\(/;
  const forbidden = Object.values(selectors).filter(({ signature }) => !ALLOWED.test(signature));

  it.each(forbidden)("$signature is refused on every contract", ({ selector }) => {
    // The arguments that would send everything to a stranger.
    const args = concat([word(BigInt(STRANGER)), word(BigInt(STRANGER)), word(AMOUNT), word(160n)]);
    for (const target of TARGETS) {
      const call = { target, value: 0n, data: concat([selector, args, word(0n)]) };
      for (const permit of PERMITS) {
        expect(() => check(call, permit)).toThrow("the signer refuses");
      }
    }
  });

  it("well-formed transfers, withdrawals and changes of a wallet's owner are refused", () => {
    const sample = (type: string): unknown => {
      if (type === "address") return STRANGER;
      if (type === "bytes") return "0x";
      if (type === "bytes32") return V1;
      return type.endsWith("[]") ? [1n] : type === "uint8" ? 1 : AMOUNT;
    };
    let tried = 0;
    FORBIDDEN_FUNCTIONS.forEachFunction((fragment) => {
      const values = fragment.inputs.map(({ type }) => sample(type));
      const data = FORBIDDEN_FUNCTIONS.encodeFunctionData(fragment, values);
      for (const target of TARGETS) {
        for (const permit of PERMITS) {
          expect(() => check({ target, value: 0n, data }, permit)).toThrow("the signer refuses");
          tried += 1;
        }
      }
    });
    expect(tried).toBe(18 * TARGETS.length * PERMITS.length);
  });

  it("the Conditional Tokens contract is never asked to redeem by itself", () => {
    const { data } = encode({ kind: "redeem", contract: CONTRACT.ctfAdapter, conditionId: V1 });
    const call = { target: CONTRACT.conditionalTokens, value: 0n, data };
    expect(() => check(call, redeem(MARKET))).toThrow("the signer refuses");
  });
});

it("none of 1,000 mutated calls is signed", () => {
  const seed = readSeed();
  const random = new Random(seed);
  for (let round = 0; round < 1_000; round += 1) {
    const { call, permit } = random.pick(OWN);
    const mutated = mutateCall(encode(call), random);
    expect(() => check(mutated, permit), `seed ${seed}, round ${round}`).toThrow(
      "the signer refuses: call 0",
    );
  }
});

it("an approval is refused after a change of any single bit, except the one that ends it", () => {
  const approvals = OWN.filter(({ permit }) => permit.kind === "approve");
  const signed = approvals.flatMap(({ call, permit }) => {
    const own = encode(call);
    const bits = Array.from({ length: dataLength(own.data) * 8 }, (_, bit) => flipBit(own, bit));
    return bits.filter((changed) => {
      try {
        check(changed, permit);
        return true;
      } catch {
        return false;
      }
    });
  });
  const ends = approvals.flatMap(({ call }) =>
    call.kind === "setOperator" ? [encode({ ...call, isApproved: false })] : [],
  );
  expect(signed).toEqual(ends);
});
