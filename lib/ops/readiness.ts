import "server-only";
import { getDb } from "@/lib/db/client";
import { selectBooksCheck } from "@/lib/db/queries/ops";
import { errorFields } from "@/lib/log";
import { checkHealth } from "@/lib/ops/check-health";

interface Readiness {
  /** Whether a load balancer should send requests here. */
  ready: boolean;
  database: "answers" | "does not answer";
  /** Mismatches raise an alarm but don't affect `ready`: another process would have them too. */
  books: "agree" | "disagree" | "not checked yet" | "not known";
  reason: string | null;
}

/** Checks whether this process can serve requests, with the reason if it cannot. */
export async function checkReadiness(): Promise<Readiness> {
  try {
    await checkHealth();
    const check = await selectBooksCheck(await getDb());
    const isChecked = check !== null && check.checkedAt !== null;
    const books = !isChecked ? "not checked yet" : check.problems === 0 ? "agree" : "disagree";
    return { ready: true, database: "answers", books, reason: null };
  } catch (error) {
    const reason = errorFields(error).error ?? null;
    return { ready: false, database: "does not answer", books: "not known", reason };
  }
}
