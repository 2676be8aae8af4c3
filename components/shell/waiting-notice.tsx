"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { Callout } from "@/components/ui/callout";
import { countWaiting } from "@/components/shell/count-waiting";

/** A notice while orders wait for approval, on every page except those of the approvals themselves. */
export function WaitingNotice({ waiting }: { waiting: number }) {
  const pathname = usePathname();
  if (waiting === 0 || pathname.startsWith("/approvals")) return null;
  return (
    <div className="mb-4">
      <Callout tone="warn" role="status">
        <span className="font-[550]">{countWaiting(waiting)}</span>{" "}
        <Link href="/approvals" className="link ml-2">
          Review
        </Link>
      </Callout>
    </div>
  );
}
