import { refused } from "@/lib/http/refused";
import { route } from "@/lib/http/route";
import { describeKey } from "@/lib/services/keys/describe-key";

export const GET = route("getKey", ({ principal }) => describeKey(principal));

export const { HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = refused;
