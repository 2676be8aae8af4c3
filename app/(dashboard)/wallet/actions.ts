"use server";

import { redirect } from "next/navigation";
import { type ActionState, runAction, textOf } from "@/app/_lib/action";
import { requireSession } from "@/app/_lib/require-session";
import { AppError } from "@/lib/errors";
import { depositOnce, parseDepositAmount } from "@/lib/services/paper/deposit-once";
import { resetAccount } from "@/lib/services/paper/reset-account";
import { WELCOME_DEPOSIT } from "@/lib/services/users/sign-up";

const RESET_WORD = "RESET";

/** Adds paper money, once per form; its receipt is on the wallet page. */
export async function depositAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSession();
    const key = textOf(form, "key");
    await depositOnce(principal.userId, key, parseDepositAmount(textOf(form, "amount")));
    redirect(`/wallet?done=deposit&key=${encodeURIComponent(key)}`);
  });
}

/** Starts the paper account afresh, after the word was typed. */
export async function resetAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSession();
    if (textOf(form, "confirmation").trim() !== RESET_WORD) {
      throw new AppError("VALIDATION_ERROR", `Type ${RESET_WORD} in capitals to confirm.`, {
        field: "confirmation",
      });
    }
    await resetAccount(principal, WELCOME_DEPOSIT);
    redirect("/wallet?done=reset");
  });
}
