import "server-only";
import { authenticateRelayer, type RelayerCaller } from "@/lib/sandbox/relayer-auth";
import { withRelayerTurn } from "@/lib/sandbox/relayer-turns";
import { answerClob, type Common, type SandboxHandler } from "@/lib/sandbox/route";

const MOUNT = /^\/(?:api\/)?sandbox\/relayer/;

interface RelayerCall extends Common {
  caller: RelayerCaller;
  headers: Headers;
}

/** Makes a handler of the relayer for callers with a builder's or relayer's key. */
export function relayerRoute(handle: (call: RelayerCall) => Promise<unknown>): SandboxHandler {
  return answerClob((request, common) =>
    withRelayerTurn(async () => {
      const path = new URL(request.url).pathname.replace(MOUNT, "");
      const caller = await authenticateRelayer(request, path, common.body);
      return handle({ ...common, caller, headers: request.headers });
    }),
  );
}

/** Makes a handler of the relayer that everybody may call. */
export function openRelayerRoute(handle: (call: Common) => Promise<unknown>): SandboxHandler {
  return answerClob((_, common) => withRelayerTurn(() => handle(common)));
}
