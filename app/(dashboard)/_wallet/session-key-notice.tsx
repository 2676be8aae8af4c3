import Link from "next/link";
import { TimeStamp } from "@/components/format/time-stamp";
import { Callout } from "@/components/ui/callout";
import { findEndingKey } from "@/lib/accounts/get-live-wallet";

/** A notice on every live page while the wallet's session key has expired or is about to. */
export async function SessionKeyNotice({ userId }: { userId: string }) {
  const key = await findEndingKey(userId);
  if (!key) return null;
  const isExpired = key.state === "expired";
  return (
    <div className="mb-4">
      <Callout
        tone={isExpired ? "danger" : "warn"}
        role="status"
        title={isExpired ? "Your session key has expired" : "Your session key expires soon"}
      >
        New orders are refused {isExpired ? "since" : "after"}{" "}
        <TimeStamp at={key.expiresAt.toISOString()} isRelative={false} />.{" "}
        <Link href="/wallet/live" className="link">
          Import a new key
        </Link>
      </Callout>
    </div>
  );
}
