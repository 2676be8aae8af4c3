import "server-only";
import { Interface } from "ethers";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { readJson } from "@/lib/polymarket/http";
import { WireRpcResults } from "@/lib/polymarket/wire/relayer";

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
export async function readChain(reads: readonly ChainRead[]): Promise<bigint[]> {
  if (reads.length === 0) return [];
  const body = reads.map(({ contract, function: name, args }, id) => ({
    jsonrpc: "2.0",
    id,
    method: "eth_call",
    params: [{ to: contract, data: ABI.encodeFunctionData(name, [...args]) }, "latest"],
  }));
  const request = {
    service: "rpc",
    method: "POST",
    path: "",
    body: JSON.stringify(body),
  } as const;
  const results = await readJson(request, WireRpcResults, env().SUBMIT_ATTEMPT_TIMEOUT_MS);
  const byId = new Map(results.map(({ id, result }) => [id, result]));
  return reads.map((_, id) => {
    const result = byId.get(id);
    if (result?.length !== RESULT_LENGTH) {
      throw new AppError("UPSTREAM_BAD_RESPONSE", "The chain's node did not return a number.");
    }
    return BigInt(result);
  });
}

/** `0x` and 32 bytes. */
const RESULT_LENGTH = 66;
