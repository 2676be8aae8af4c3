"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { runAction, readText } from "@/app/_lib/action";
import type { ActionState } from "@/components/ui/action-form";
import { readProof } from "@/app/_lib/read-proof";
import { requireSessionInPageMode } from "@/app/_lib/require-session";
import { AppError } from "@/lib/errors";
import { isLiveTradingOn } from "@/lib/accounts/get-live-wallet";
import { importOwnLiveWallet, removeOwnLiveWallet } from "@/lib/accounts/own-live-wallet";

const REMOVE_WORD = "REMOVE";

/** Stores a live wallet. The response never contains the private key. */
export async function importWalletAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const session = await requireSessionInPageMode(form);
    if (!isLiveTradingOn()) {
      throw new AppError("TRADING_PAUSED", "Live trading is off on this server.");
    }
    const wallet = {
      privateKey: readText(form, "secretKey"),
      funder: readText(form, "funder"),
      signatureType: readText(form, "signatureType"),
    };
    await importOwnLiveWallet(session, wallet, await readProof(form));
    revalidatePath("/", "layout");
    redirect("/wallet/live?done=imported");
  });
}

/** Deletes the live wallet after the typed word. */
export async function removeWalletAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const session = await requireSessionInPageMode(form);
    if (readText(form, "confirmation").trim() !== REMOVE_WORD) {
      throw new AppError("VALIDATION_ERROR", `Type ${REMOVE_WORD} in capitals to confirm.`, {
        field: "confirmation",
      });
    }
    await removeOwnLiveWallet(session, await readProof(form));
    revalidatePath("/", "layout");
    redirect("/wallet/live?done=removed");
  });
}
