import { describe, expect, it } from "vitest";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import {
  decodePositionCall,
  encodePositionCall,
  type PositionCall,
  UNLIMITED,
  type WalletCall,
} from "@/lib/polymarket/protocol/position-calls";
import { Random } from "@/tests/support/random";
import { readRecorded } from "@/tests/support/polymarket/recorded-data";

interface Vector {
  name: string;
  to: string;
  data: string;
}
const { vectors, selectors } = readRecorded<{
  vectors: Vector[];
  selectors: Record<string, { selector: string }>;
}>("relayer/calldata.json");
const isForeign = ({ name }: Vector) => /MUST REFUSE|prepareCondition/.test(name);
const KNOWN = vectors.filter((vector) => !isForeign(vector));
const toCall = ({ to, data }: Vector): WalletCall => ({ target: to, value: 0n, data });

function find(name: string): WalletCall {
  const vector = KNOWN.find((known) => known.name === name);
  if (!vector) throw new Error(`no vector ${name}`);
  return toCall(vector);
}

const CONDITION = "0x1171bfba0ad9386688133910593527fe77ce5406a7ac2c9a3552ab5471c1ac51";
const POSITION_CONDITION = "0x017089ce3ba22aaa0a4cba8250b8c8e1eb000000000000000000000000000000";

describe("a call on positions", () => {
  it.each(KNOWN)("$name is decoded and encoded to the same bytes", (vector) => {
    const call = decodePositionCall(toCall(vector));
    expect(call && encodePositionCall(call)).toEqual(toCall(vector));
  });

  const exchange = "0xe3333700cA9d93003F00f0F71f8515005F6c00Aa";
  const { ctfAdapter, negRiskCtfAdapter, router, conditionalTokens } = CONTRACT;
  it.each<[string, PositionCall]>([
    ["approve pUSD to ExchangeV3, max", { kind: "approve", spender: exchange, amount: UNLIMITED }],
    [
      "revoke CTF operator",
      {
        kind: "setOperator",
        token: conditionalTokens,
        operator: "0xE111180000d2663C0091e4f400237545B87B996B",
        isApproved: false,
      },
    ],
    [
      "CTF split",
      { kind: "split", contract: ctfAdapter, conditionId: CONDITION, amount: 5_000_000n },
    ],
    [
      "CTF merge",
      { kind: "merge", contract: ctfAdapter, conditionId: CONDITION, amount: 2_500_000n },
    ],
    [
      "neg-risk redeem",
      {
        kind: "redeem",
        contract: negRiskCtfAdapter,
        conditionId: "0x24017fae00000000000000000000000070997970c51812dc3a010c7d01b50e0d",
      },
    ],
    [
      "V2 split (31-byte condition)",
      { kind: "split", contract: router, conditionId: POSITION_CONDITION, amount: 5_000_000n },
    ],
    [
      "V2 redeem NO, neg-risk",
      {
        kind: "redeemOutcome",
        conditionId: "0x02c075d92f55d92b75021f545dde1fa932000400000000000000000000000300",
        outcome: 1,
        amount: 2_500_000n,
      },
    ],
  ])("%s is understood", (name, expected) => {
    expect(decodePositionCall(find(name))).toEqual(expected);
  });

  it("is null for every other recorded call", () => {
    const foreign = vectors.filter(isForeign).map(toCall);
    expect(foreign.length).toBeGreaterThan(3);
    expect(foreign.map(decodePositionCall)).toEqual(foreign.map(() => null));
  });

  it("is null for every selector on a contract that does not have it", () => {
    const targets = [...Object.values(CONTRACT), exchange];
    const allowed = new Set(KNOWN.map(({ to, data }) => `${to.toLowerCase()}${data.slice(0, 10)}`));
    const bodies = [...KNOWN.slice(0, 12).map(({ data }) => data.slice(10)), ""];
    for (const target of targets) {
      for (const { selector } of Object.values(selectors)) {
        if (allowed.has(`${target.toLowerCase()}${selector}`)) continue;
        for (const body of bodies) {
          expect(decodePositionCall({ target, value: 0n, data: selector + body })).toBeNull();
        }
      }
    }
  });

  it("is null with a value, trailing bytes, missing bytes or changed fixed arguments", () => {
    const split = find("CTF split");
    const replace = (from: string, to: string) => ({
      ...split,
      data: split.data.replace(from, to),
    });
    const refused: WalletCall[] = [
      { ...split, value: 1n },
      { ...split, data: `${split.data}00` },
      { ...split, data: split.data.slice(0, -2) },
      { ...split, data: split.data.slice(0, 10) },
      { ...split, data: "0x" },
      { ...split, data: "transfer" },
      // Another collateral, a parent collection, and another partition.
      replace(
        "c011a7e12a19f7b1f670d46f03b03f3342e82dfb",
        "c011a7e12a19f7b1f670d46f03b03f3342e82dfc",
      ),
      replace(`82dfb${"0".repeat(64)}`, `82dfb${"0".repeat(63)}1`),
      { ...split, data: split.data.replace(/2$/, "3") },
    ];
    expect(refused.map(decodePositionCall)).toEqual(refused.map(() => null));
    expect(refused.every(({ data, value }) => data !== split.data || value !== 0n)).toBe(true);
  });

  it("is null for redeeming on the Conditional Tokens contract itself", () => {
    const direct = { ...find("CTF redeem"), target: CONTRACT.conditionalTokens };
    expect(decodePositionCall(direct)).toBeNull();
  });

  it("cannot be encoded for the Router with a condition of Protocol V1", () => {
    const call = { kind: "split", contract: router, conditionId: CONDITION, amount: 1n } as const;
    expect(() => encodePositionCall(call)).toThrow(RangeError);
  });

  it("is the same call or another one after any change of a byte, never the same bytes", () => {
    const random = new Random(19);
    for (const vector of KNOWN) {
      for (let run = 0; run < 60; run += 1) {
        const at = random.integer(2, vector.data.length - 1);
        const digit = random.integer(0, 15).toString(16);
        const data = vector.data.slice(0, at) + digit + vector.data.slice(at + 1);
        const call = decodePositionCall({ target: vector.to, value: 0n, data });
        if (call) expect(encodePositionCall(call).data).toBe(data);
      }
    }
  });
});
