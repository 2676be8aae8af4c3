import { route } from "@/lib/api/route";
import { getBalance } from "@/lib/accounts/get-balance";

export const GET = route("getBalance", ({ principal }) => getBalance(principal), "paper account");
