import { clobRoute } from "@/lib/sandbox/clob-route";
import { listSandboxKeys } from "@/lib/sandbox/keys";

export const GET = clobRoute("key", ({ caller }) => listSandboxKeys(caller));
