import { Badge } from "@/components/ui/badge";

/** The price of the picture's market, as steps in a box of 400 by 96. */
const PRICE_LINE =
  "M0 70H28V74H52V62H84V66H104V58H140V61H168V46H196V50H216V55H240V40H268V44H292V34H320V38H340V24H372V28H400";

/** 100 shares at 62¢ and a fee rate of 7%: 100 × 0.07 × 0.62 × 0.38. */
const RECEIPT = [
  ["100 shares at 62¢", "$62.00"],
  ["Fee", "$1.65"],
  ["Total", "$63.65"],
  ["Cash", "$10,000.00 → $9,936.35"],
] as const;

/** A picture of the product: a market, and an order in it. Only for the eye, beside the forms on a wide screen. */
export function ProductPicture() {
  return (
    <div aria-hidden="true" className="flex flex-col max-lg:hidden print:hidden">
      <div className="card p-6 pb-20">
        <p className="flex items-start justify-between gap-4">
          <span className="text-heading">Will it snow in Larchmoor by 6 December?</span>
          <span className="num text-title">62%</span>
        </p>
        <svg viewBox="0 0 400 96" className="mt-4 w-full text-up" fill="none">
          <path d={`${PRICE_LINE}V96H0Z`} fill="currentColor" opacity="0.08" />
          <path d={PRICE_LINE} stroke="currentColor" strokeWidth="2" strokeLinejoin="round" />
        </svg>
        <p className="mt-4 grid grid-cols-2 gap-3 text-center font-[550]">
          <span className="rounded-control border border-border bg-surface-2 py-2 text-up">
            Yes 62¢
          </span>
          <span className="rounded-control border border-border bg-surface-2 py-2 text-down">
            No 39¢
          </span>
        </p>
      </div>
      <div className="-mt-14 mr-6 -ml-6 card p-5 shadow-layer">
        <p className="flex items-center justify-between gap-4">
          <span className="text-heading">Buy Yes</span>
          <Badge tone="up">Filled</Badge>
        </p>
        <dl className="num mt-3 flex flex-col gap-2">
          {RECEIPT.map(([label, value]) => (
            <div
              key={label}
              className={`flex justify-between gap-4 ${label === "Total" ? "font-[550]" : ""}`}
            >
              <dt className="text-text-2">{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  );
}
