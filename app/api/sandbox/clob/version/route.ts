import { clobRoute } from "@/lib/sandbox/clob-route";

export const GET = clobRoute("open", () => ({ version: 2 }));
