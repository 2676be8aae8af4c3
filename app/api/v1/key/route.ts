import { route } from "@/lib/http/route";
import { describeKey } from "@/lib/services/keys/describe-key";

export const GET = route("getKey", ({ principal }) => describeKey(principal));
