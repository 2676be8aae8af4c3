"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { runAction, readText } from "@/app/_lib/action";
import type { ActionState } from "@/components/ui/action-form";
import { readProof } from "@/app/_lib/read-proof";
import { requireSessionInPageMode } from "@/app/_lib/require-session";
import { SESSION_KEY_CHOICE } from "@/app/(dashboard)/wallet/live/wallet-kinds";
import type { WalletImport } from "@/lib/custody/seal-live-wallet";
import { AppError } from "@/lib/errors";
import { SIGNATURE_TYPE } from "@/lib/polymarket/protocol/order-hash";
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
    await importOwnLiveWallet(session, readWallet(form), await readProof(form));
    revalidatePath("/", "layout");
    redirect("/wallet/live?done=imported");
  });
}

/** Reads the entered wallet. A session key belongs to a deposit wallet. */
function readWallet(form: FormData): WalletImport {
  const [privateKey, funder] = [readText(form, "secretKey"), readText(form, "funder")];
  const kind = readText(form, "signatureType");
  if (kind !== SESSION_KEY_CHOICE) return { privateKey, funder, signatureType: kind };
  return {
    privateKey,
    funder,
    signatureType: String(SIGNATURE_TYPE.depositWallet),
    sessionKey: { scopes: readText(form, "scopes"), expiresAt: readText(form, "expiresAt") },
  };
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
