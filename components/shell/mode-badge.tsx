import type { Mode } from "@/lib/venue/port";

/** The account's mode. */
export function ModeBadge({ mode }: { mode: Mode }) {
  const isPaper = mode === "paper";
  return (
    <span
      title={isPaper ? "Paper money on the embedded exchange" : "Real money on Polymarket"}
      className={`rounded-pill border px-2.5 py-0.5 text-caption ${
        isPaper ? "border-info text-info" : "border-danger bg-danger text-on-ink"
      }`}
    >
      {isPaper ? "Paper" : "Live"}
      <span className="sr-only">{isPaper ? " money" : " trading with real money"}</span>
    </span>
  );
}

/** The mode in the title of a browser tab. */
export const modeTitle = (mode: Mode) => (mode === "paper" ? "Paper" : "LIVE");
