"use server";

import { headers } from "next/headers";
import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { type ActionState, runAction, textOf } from "@/app/_lib/action";
import { requireSession } from "@/app/_lib/require-session";
import { AppError } from "@/lib/errors";
import { isLiveTradingOn } from "@/lib/services/live-wallet/get-live-wallet";
import { importLiveWallet } from "@/lib/services/live-wallet/import-live-wallet";
import { removeLiveWallet } from "@/lib/services/live-wallet/remove-live-wallet";
import { confirmPassword } from "@/lib/services/sessions/confirm-password";
import { browserOf } from "@/lib/services/sessions/start-session";

const REMOVE_WORD = "REMOVE";

/** Stores a live wallet, after the password. The key is in none of what comes back. */
export async function importWalletAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const session = await requireSession();
    if (!isLiveTradingOn()) {
      throw new AppError("TRADING_PAUSED", "Live trading is not switched on.");
    }
    await confirmPassword(session, textOf(form, "current"), await callerAddress());
    const wallet = {
      privateKey: textOf(form, "secretKey"),
      funder: textOf(form, "funder"),
      signatureType: textOf(form, "signatureType"),
    };
    await importLiveWallet(session.principal.userId, wallet, session.id);
    revalidatePath("/", "layout");
    redirect("/wallet/live?done=imported");
  });
}

/** Deletes the live wallet, after the word was typed and the password. */
export async function removeWalletAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const session = await requireSession();
    if (textOf(form, "confirmation").trim() !== REMOVE_WORD) {
      throw new AppError("VALIDATION_ERROR", `Type ${REMOVE_WORD} in capitals to confirm.`, {
        field: "confirmation",
      });
    }
    await confirmPassword(session, textOf(form, "current"), await callerAddress());
    await removeLiveWallet(session.principal.userId, session.id);
    revalidatePath("/", "layout");
    redirect("/wallet/live?done=removed");
  });
}

async function callerAddress(): Promise<string> {
  return browserOf(await headers()).address;
}
