import { freezeAction, thawAction } from "@/app/(dashboard)/_limits/actions";
import { loadProof } from "@/app/(dashboard)/_proof/load-proof";
import { TimeStamp } from "@/components/format/time-stamp";
import { FreezeForm } from "@/components/limits/freeze-form";
import { RefusalText } from "@/components/format/refusal-text";
import { ThawForm } from "@/components/limits/thaw-form";
import type { Session } from "@/lib/auth/session";
import type { Freeze } from "@/lib/domain/limits";
import { isModeEnabled } from "@/lib/venue/modes";

interface Props {
  session: Session;
  /** "account", "user", or "key:" with an id. */
  subject: string;
  freeze: Freeze | null;
  /** Whether only the operator thaws it. */
  isOperators?: boolean;
  /** The name of the frozen thing in a sentence, such as "this key". */
  name: string;
}

/** Freezes or thaws one subject, with what happens in words. */
export async function FreezePart({ session, subject, freeze, isOperators = false, name }: Props) {
  const scope = subject.startsWith("key:") ? "key" : subject === "user" ? "user" : "account";
  const id = `freeze-${scope}`;
  if (!freeze) {
    return (
      <div id={id}>
        <FreezeForm action={freezeAction} subject={subject} label={`Freeze ${name}`}>
          {describeEffects()[scope]}
        </FreezeForm>
      </div>
    );
  }
  return (
    <div id={id} className="flex flex-col gap-3">
      <p>
        Frozen since <TimeStamp at={freeze.at.toISOString()} isRelative={false} />.{" "}
        <RefusalText message={freeze.reason} />
      </p>
      <p className="text-text-2">
        {isOperators
          ? "Only the operator can thaw it."
          : "After a thaw, orders are accepted again. Canceled orders stay canceled."}
      </p>
      {!isOperators && (
        <ThawForm
          action={thawAction}
          subject={subject}
          label={`Thaw ${name}`}
          proof={await loadProof(session, "thaw")}
        />
      )}
    </div>
  );
}

const describeEffects = () => ({
  key: "Cancels this key’s open orders, and refuses new orders and claims until you thaw it. Reading and canceling go on. Other keys aren’t affected.",
  account:
    "Cancels every open order of this account, and refuses new orders and claims, here and with any key, until you thaw it. Reading and canceling go on.",
  user: isModeEnabled("live")
    ? "Cancels every open order of your paper and your live account, and refuses new orders and claims in both until you thaw it."
    : "Cancels every open order, and refuses new orders and claims until you thaw it, also on a live account if the operator turns live trading on.",
});
