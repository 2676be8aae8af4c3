import { clobRoute } from "@/lib/sandbox/clob-route";
import { createSandboxKey, removeSandboxKey } from "@/lib/sandbox/keys";

export const POST = clobRoute("owner", (call) => createSandboxKey(call));
export const DELETE = clobRoute("key", ({ caller }) => removeSandboxKey(caller));
