// Calls of a wallet that differ in one place from those that Ante makes.
import { concat, dataLength, dataSlice, toBeHex } from "ethers";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { decodePositionCall, type WalletCall } from "@/lib/polymarket/protocol/position-calls";
import { readRecorded } from "@/tests/support/polymarket/recorded-data";
import type { Random } from "@/tests/support/random";

interface RecordedCalls {
  selectors: Record<string, { selector: string; signature: string }>;
  vectors: { name: string; to: string; data: string }[];
}

/** The functions and calls that the official clients use. */
export const RECORDED_CALLS = readRecorded<RecordedCalls>("relayer/calldata.json");

/** An address that belongs to no contract of the venue. */
export const STRANGER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** Every contract that Ante knows, and one that it doesn't. */
export const TARGETS: readonly string[] = [...Object.values(CONTRACT), STRANGER];

const LONGEST_CUT = 40;

/** Changes a call in one place. The end of an approval is always allowed, so it is not among the results. */
export function mutateCall(call: WalletCall, random: Random): WalletCall {
  const mutated = mutate(call, random);
  const decoded = decodePositionCall(mutated);
  const endsApproval = decoded?.kind === "setOperator" && !decoded.isApproved;
  return endsApproval ? mutateCall(call, random) : mutated;
}

function mutate(call: WalletCall, random: Random): WalletCall {
  const { target, data } = call;
  const length = dataLength(data);
  switch (random.pick(["bit", "target", "value", "tail", "cut", "selector"] as const)) {
    case "bit":
      return flipBit(call, random.integer(0, length * 8 - 1));
    case "target":
      return { ...call, target: random.pick(TARGETS.filter((other) => other !== target)) };
    case "value":
      return { ...call, value: 1n << BigInt(random.integer(0, 255)) };
    case "tail":
      return { ...call, data: concat([data, toBeHex(random.integer(0, 255), 1)]) };
    case "cut":
      return { ...call, data: dataSlice(data, 0, length - random.integer(1, LONGEST_CUT)) };
    case "selector": {
      const own = dataSlice(data, 0, 4);
      const others = Object.values(RECORDED_CALLS.selectors).filter(
        ({ selector }) => selector !== own,
      );
      return { ...call, data: concat([random.pick(others).selector, dataSlice(data, 4)]) };
    }
  }
}

/** Flips one bit of a call's data. */
export function flipBit(call: WalletCall, bit: number): WalletCall {
  const at = bit >> 3;
  const byte = BigInt(dataSlice(call.data, at, at + 1)) ^ (1n << BigInt(bit & 7));
  return {
    ...call,
    data: concat([dataSlice(call.data, 0, at), toBeHex(byte, 1), dataSlice(call.data, at + 1)]),
  };
}
