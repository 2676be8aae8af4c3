import { refused } from "@/lib/http/refused";
import { route } from "@/lib/http/route";
import { getBalance } from "@/lib/services/account/get-balance";

export const GET = route("getBalance", ({ principal }) => getBalance(principal), "account");

export const { HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = refused;
