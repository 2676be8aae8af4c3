import { route } from "@/lib/api/route";
import { describeKey } from "@/lib/auth/list-keys";

export const GET = route("getKey", ({ principal }) => describeKey(principal));
