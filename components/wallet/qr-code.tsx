import { encode } from "uqr";

/** The light margin that QR code readers need, in modules. */
const QUIET_ZONE = 4;

/** A QR code as one path. Black on white in every theme, so that cameras can read it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_ZONE });
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-44 rounded-control border border-border"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={buildPath(data)} fill="#000" />
    </svg>
  );
}

/** Draws one rectangle per horizontal run of dark modules. */
function buildPath(rows: readonly (readonly boolean[])[]): string {
  return rows
    .map((row, y) =>
      findRuns(row)
        .map(({ x, length }) => `M${x} ${y}h${length}v1h-${length}z`)
        .join(""),
    )
    .join("");
}

function findRuns(row: readonly boolean[]): { x: number; length: number }[] {
  const runs: { x: number; length: number }[] = [];
  row.forEach((isDark, x) => {
    const last = runs.at(-1);
    if (!isDark) return;
    if (last && last.x + last.length === x) last.length += 1;
    else runs.push({ x, length: 1 });
  });
  return runs;
}
