import { clobRoute } from "@/lib/sandbox/clob-route";
import { now } from "@/lib/clock";

export const GET = clobRoute("open", () => Math.floor(now() / 1000));
