import "server-only";
import { Interface } from "ethers";
import { callNode } from "@/lib/polymarket/json-rpc";
import { WireWord } from "@/lib/polymarket/wire/chain";

const ABI = new Interface([
  "function balanceOf(address account) view returns (uint256)",
  "function balanceOf(address account, uint256 id) view returns (uint256)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function isApprovedForAll(address account, address operator) view returns (bool)",
]);

/** A number that a contract returns. */
export interface ChainRead {
  contract: string;
  function:
    | "balanceOf(address)"
    | "balanceOf(address,uint256)"
    | "allowance(address,address)"
    | "isApprovedForAll(address,address)";
  args: readonly (string | bigint)[];
}

/**
 * Reads numbers of contracts in the newest block with one request; a boolean is 0 or 1. Throws unless
 * every read succeeded.
 */
export function readChain(reads: readonly ChainRead[]): Promise<bigint[]> {
  const calls = reads.map(({ contract, function: name, args }) => ({
    method: "eth_call",
    params: [{ to: contract, data: ABI.encodeFunctionData(name, [...args]) }, "latest"],
  }));
  return callNode(calls, WireWord);
}
