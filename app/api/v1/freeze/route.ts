import { route } from "@/lib/api/route";
import { freezeOwnKey } from "@/lib/limits/freeze";

export const POST = route("freezeKey", ({ principal }) => freezeOwnKey(principal));
