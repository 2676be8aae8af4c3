"use server";

import { headers } from "next/headers";
import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { runAction, readText } from "@/app/_lib/action";
import type { ActionState } from "@/components/ui/action-form";
import { requireSessionInPageMode } from "@/app/_lib/require-session";
import { AppError } from "@/lib/errors";
import { isLiveTradingOn } from "@/lib/accounts/get-live-wallet";
import { importLiveWallet, removeLiveWallet } from "@/lib/accounts/change-live-wallet";
import { confirmPassword } from "@/lib/auth/confirm-password";
import { readBrowser } from "@/lib/auth/start-session";

const REMOVE_WORD = "REMOVE";

/** Stores a live wallet after a password check. The response never contains the private key. */
export async function importWalletAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const session = await requireSessionInPageMode(form);
    if (!isLiveTradingOn()) {
      throw new AppError("TRADING_PAUSED", "Live trading is off on this server.");
    }
    await confirmPassword(session, readText(form, "current"), await callerAddress());
    const wallet = {
      privateKey: readText(form, "secretKey"),
      funder: readText(form, "funder"),
      signatureType: readText(form, "signatureType"),
    };
    await importLiveWallet(session.principal.userId, wallet, session.id);
    revalidatePath("/", "layout");
    redirect("/wallet/live?done=imported");
  });
}

/** Deletes the live wallet after a password check and the typed word. */
export async function removeWalletAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const session = await requireSessionInPageMode(form);
    if (readText(form, "confirmation").trim() !== REMOVE_WORD) {
      throw new AppError("VALIDATION_ERROR", `Type ${REMOVE_WORD} in capitals to confirm.`, {
        field: "confirmation",
      });
    }
    await confirmPassword(session, readText(form, "current"), await callerAddress());
    await removeLiveWallet(session.principal.userId, session.id);
    revalidatePath("/", "layout");
    redirect("/wallet/live?done=removed");
  });
}

async function callerAddress(): Promise<string> {
  return readBrowser(await headers()).address;
}
