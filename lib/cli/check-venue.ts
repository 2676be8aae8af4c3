import "server-only";
import { env } from "@/lib/env";
import { checkContract } from "@/lib/polymarket/check-contract";
import { closeUpstreams } from "@/lib/polymarket/http";

const WORDS = {
  known: "as expected",
  differs: "DIFFERS",
  no_answer: "NO RESPONSE",
  not_checked: "not checked",
} as const;

/**
 * Compares the configured venue's API with the one that Ante knows, and prints the result. Uses no
 * database and no credentials, so only a running service checks the format of orders.
 *
 * @returns the exit code: 0 if nothing differs, 1 if something does, 2 if the venue doesn't respond.
 */
export async function checkVenue(): Promise<number> {
  const { CLOB_API_URL, GAMMA_API_URL } = env();
  process.stdout.write(`${CLOB_API_URL}\n${GAMMA_API_URL}\n`);
  const checks = await checkContract(null);
  await closeUpstreams();
  for (const { part, outcome, detail } of checks) {
    process.stdout.write(`${part.padEnd(8)} ${WORDS[outcome].padEnd(12)} ${detail}\n`);
  }
  if (checks.some(({ outcome }) => outcome === "differs")) return 1;
  return checks.some(({ outcome }) => outcome === "no_answer") ? 2 : 0;
}
