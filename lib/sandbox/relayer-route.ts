import "server-only";
import { authenticateRelayer, type RelayerCaller } from "@/lib/sandbox/relayer-auth";
import { answerClob, type Common, type SandboxHandler } from "@/lib/sandbox/route";

const MOUNT = /^\/(?:api\/)?sandbox\/relayer/;

interface RelayerCall extends Common {
  caller: RelayerCaller;
  headers: Headers;
}

/** Makes a handler of the relayer for callers with a builder's or relayer's key. */
export function relayerRoute(handle: (call: RelayerCall) => Promise<unknown>): SandboxHandler {
  return answerClob(async (request, common) => {
    const path = new URL(request.url).pathname.replace(MOUNT, "");
    const caller = await authenticateRelayer(request, path, common.body);
    return handle({ ...common, caller, headers: request.headers });
  });
}
