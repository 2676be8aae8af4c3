import { PrintTime } from "@/app/(dashboard)/_print/print-time";
import { getDisplay } from "@/app/_lib/display-settings";
import { requireSession } from "@/app/_lib/require-session";
import { formatZone } from "@/components/format/times";
import { now } from "@/lib/clock";

/** The head of a printed page: whose account, and when it was printed. */
export async function PaperHead() {
  const { principal, email } = await requireSession();
  const { zone } = await getDisplay();
  return (
    <p className="mb-3 hidden justify-between gap-4 print:flex">
      <span>
        Ante · {email}, {principal.mode === "live" ? "real money" : "paper money"}
      </span>
      <span>
        <PrintTime openedAt={now()} zone={zone} /> ({formatZone(zone)})
      </span>
    </p>
  );
}
