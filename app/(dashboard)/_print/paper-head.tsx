import { getDisplay } from "@/app/_lib/display-settings";
import { requireSession } from "@/app/_lib/require-session";
import { formatClock, formatDay, formatZone } from "@/components/format/times";
import { now } from "@/lib/clock";

/** The head of a printed page: whose account, and when the page was opened. */
export async function PaperHead() {
  const { principal, email } = await requireSession();
  const { zone } = await getDisplay();
  const at = new Date(now()).toISOString();
  return (
    <p className="mb-3 hidden justify-between gap-4 print:flex">
      <span>
        Ante · {email}, {principal.mode === "live" ? "real money" : "paper money"}
      </span>
      <time dateTime={at}>
        Opened {formatDay(at, zone)}, {formatClock(Date.parse(at), { zone, hour12: false })} (
        {formatZone(zone)})
      </time>
    </p>
  );
}
