import { readUserStats } from "@/lib/sandbox/data/v2";
import { v2Route } from "@/lib/sandbox/data/v2-route";

export const GET = v2Route(readUserStats);
