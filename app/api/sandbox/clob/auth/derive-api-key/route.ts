import { clobRoute } from "@/lib/sandbox/clob-route";
import { deriveSandboxKey } from "@/lib/sandbox/keys";

export const GET = clobRoute("owner", (call) => deriveSandboxKey(call));
