import "server-only";
import { headers } from "next/headers";
import { readText } from "@/app/_lib/action";
import type { Proof } from "@/lib/auth/second-factor/prove-factor";
import { readBrowser } from "@/lib/auth/start-session";

/** Reads what `ProofFields` sends. */
export async function readProof(form: FormData): Promise<Proof> {
  return {
    address: readBrowser(await headers()).address,
    password: readText(form, "current"),
    code: readText(form, "code"),
    passkey: readText(form, "passkey"),
  };
}
