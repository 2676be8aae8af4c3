"use server";

import { redirect } from "next/navigation";
import { runAction, readText } from "@/app/_lib/action";
import type { ActionState } from "@/components/ui/action-form";
import { requireSessionInPageMode } from "@/app/_lib/require-session";
import { AppError } from "@/lib/errors";
import { depositOnce, parseDepositAmount } from "@/lib/accounts/deposit-once";
import { resetOnce } from "@/lib/accounts/reset-account";
import { WELCOME_DEPOSIT } from "@/lib/accounts/sign-up";
import { toCause } from "@/lib/ledger/account-log";
import { setAutomaticClaims } from "@/lib/portfolio/claim-automatically";
import { setApprovals } from "@/lib/wallet-transactions/set-approvals";

const RESET_WORD = "RESET";

/** Adds paper money, once per form, and shows the receipt on the wallet page. */
export async function depositAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSessionInPageMode(form);
    const key = readText(form, "key");
    const amount = parseDepositAmount(readText(form, "amount"));
    await depositOnce(principal.userId, key, amount, toCause(principal));
    redirect(`/wallet?done=deposit&key=${encodeURIComponent(key)}`);
  });
}

/** Sets the missing approvals of the live wallet. The wallet page then lists the transaction. */
export async function setApprovalsAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSessionInPageMode(form);
    await setApprovals(principal);
    redirect("/wallet");
  });
}

/** Turns automatic claims of the live account on or off. */
export async function setAutomaticClaimsAction(
  _: ActionState,
  form: FormData,
): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSessionInPageMode(form);
    await setAutomaticClaims(principal, readText(form, "isOn") === "yes");
    redirect("/wallet");
  });
}

/** Resets the paper account, once per form, after the user typed the word. */
export async function resetAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSessionInPageMode(form);
    if (readText(form, "confirmation").trim() !== RESET_WORD) {
      throw new AppError("VALIDATION_ERROR", `Type ${RESET_WORD} in capitals to confirm.`, {
        field: "confirmation",
      });
    }
    await resetOnce(principal, readText(form, "key"), WELCOME_DEPOSIT);
    redirect("/wallet?done=reset");
  });
}
