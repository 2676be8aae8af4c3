import "server-only";
import { getDb } from "@/lib/db/client";
import { selectBooksCheck } from "@/lib/db/queries/ops";
import { errorFields } from "@/lib/log";
import { checkHealth } from "@/lib/services/health/check-health";

interface Readiness {
  /** Whether requests should be sent here. */
  ready: boolean;
  database: "answers" | "does not answer";
  /** Disagreeing books are an alarm, but sending requests elsewhere would not help. */
  books: "agree" | "disagree" | "not checked yet" | "not known";
  reason: string | null;
}

/** Whether this process can do its work, and what the operator should know if it cannot. */
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
