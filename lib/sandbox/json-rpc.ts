import "server-only";
import { z } from "zod";
import { SandboxError } from "@/lib/sandbox/error";
import { answerContractCall } from "@/lib/sandbox/contract-reads";
import {
  readBlock,
  readChainTransaction,
  readLogs,
  readReceipt,
} from "@/lib/sandbox/chain-history";
import { chainId } from "@/lib/sandbox/authenticate";

const MAX_BATCH = 100;
/** Gas that every transaction is estimated to need. The relayer pays it. */
const GAS = "0x30d40";

const RpcRequest = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.number(), z.string(), z.null()]).default(null),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
});
const Call = z.object({ to: z.string(), data: z.string() });

type RpcResponse = { jsonrpc: "2.0"; id: number | string | null } & (
  { result: unknown } | { error: { code: number; message: string } }
);

/** A failure with the code of JSON-RPC. */
class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Serves `POST /rpc`: as much of a Polygon node as clients need to read approvals and balances, to
 * estimate gas, and to find out whether a relayed transaction was executed. A list of requests gets a list of responses.
 */
export async function answerRpc(body: string): Promise<RpcResponse | RpcResponse[]> {
  const given = parseJson(body);
  if (!Array.isArray(given)) return answerOne(given);
  if (given.length > MAX_BATCH)
    throw new SandboxError(400, `at most ${MAX_BATCH} requests at once`);
  return Promise.all(given.map(answerOne));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function answerOne(given: unknown): Promise<RpcResponse> {
  const parsed = RpcRequest.safeParse(given);
  if (!parsed.success) {
    return { jsonrpc: "2.0", id: null, error: { code: -32_600, message: "invalid request" } };
  }
  const { id, method, params } = parsed.data;
  try {
    return { jsonrpc: "2.0", id, result: await answerMethod(method, params) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { jsonrpc: "2.0", id, error: { code: error.code, message: error.message } };
  }
}

async function answerMethod(method: string, params: readonly unknown[]): Promise<unknown> {
  switch (method) {
    case "eth_chainId":
      return `0x${chainId().toString(16)}`;
    case "eth_estimateGas":
      return GAS;
    case "eth_call": {
      const call = Call.safeParse(params[0]);
      if (!call.success) throw new RpcError(-32_602, "invalid params");
      const result = await answerContractCall(call.data);
      if (result === null) throw new RpcError(3, "execution reverted");
      return result;
    }
    case "eth_blockNumber":
      return readBlock("latest")?.number;
    case "eth_getBlockByNumber":
      return readBlock(params[0]);
    case "eth_getLogs": {
      const logs = await readLogs(params[0]);
      if (!logs) throw new RpcError(-32_602, "invalid params");
      return logs;
    }
    case "eth_getTransactionByHash":
      return readChainTransaction(params[0]);
    case "eth_getTransactionReceipt":
      return readReceipt(params[0]);
    default:
      throw new RpcError(-32_601, `the method ${method} does not exist/is not available`);
  }
}
