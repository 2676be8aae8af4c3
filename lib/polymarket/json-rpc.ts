import "server-only";
import type { z } from "zod";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { readJson } from "@/lib/polymarket/http";
import { WireRpcResults } from "@/lib/polymarket/wire/chain";

/** A call of the chain's node. */
export interface RpcCall {
  method: string;
  params: readonly unknown[];
}

/**
 * Calls the chain's node with one request and returns the results in the order of the calls. Throws unless
 * every call succeeded and its result has the schema's form.
 */
export async function callNode<S extends z.ZodType>(
  calls: readonly RpcCall[],
  schema: S,
): Promise<z.output<S>[]> {
  if (calls.length === 0) return [];
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: "2.0", id, ...call })));
  const request = { service: "rpc", method: "POST", path: "", body } as const;
  const answers = await readJson(request, WireRpcResults, env().SUBMIT_ATTEMPT_TIMEOUT_MS);
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  return calls.map((_, id) => {
    const parsed = schema.safeParse(byId.get(id)?.result);
    if (parsed.success) return parsed.data;
    throw new AppError("UPSTREAM_BAD_RESPONSE", "The chain's node did not return a result.");
  });
}
