import type { ReactNode } from "react";
import { describedBy, Field } from "@/components/ui/field";
import { ACTION_LABELS, LIMIT_LABELS, type LimitTexts } from "@/lib/domain/limit-texts";
import { LIMITED_ACTIONS } from "@/lib/domain/limits";

type Name = Exclude<keyof LimitTexts, "blocked">;

/** The last attempt to send the form. */
interface Attempt {
  failure: { values: Record<string, string> } | null;
  getError: (field: string) => string | null;
  getText: (field: string, saved: string) => string;
}

interface Props {
  attempt: Attempt;
  texts: LimitTexts;
  /** Whether addresses can be limited: those of a key, or of all keys of an account. */
  whose: "key" | "account";
  /** Whether only addresses can be limited, because the key places no orders. */
  isReading?: boolean;
}

const FIRST = [
  "perOrder",
  "perDay",
  "total",
  "maxOpenOrders",
  "approvalAbove",
  "dailyLoss",
] as const satisfies readonly Name[];
const MORE = [
  "openExposure",
  "perMarket",
  "ordersPerMinute",
  "maxDistanceFromMid",
] as const satisfies readonly Name[];
const LISTS = ["markets", "ipAllow"] as const satisfies readonly Name[];

const HELP: Readonly<Record<Name, string>> = {
  perOrder: "What one buy can cost, with its fee.",
  perDay: "Buys in any 24 hours, open buys included.",
  total: "All buys so far, open buys included.",
  openExposure: "In shares and open buys at the same time.",
  perMarket: "In shares and open buys of each market.",
  dailyLoss: "What sales and results may lose in any 24 hours. Then trading freezes.",
  maxOpenOrders: "Orders that can be open at the same time.",
  ordersPerMinute: "Orders in any 60 seconds.",
  maxDistanceFromMid: "Between an order’s price and the middle of the book.",
  approvalAbove: "A buy that can cost more waits for your approval.",
  markets: "One per line, such as category:Politics, event:a-slug or market:a-slug.",
  ipAllow: "One per line: IP addresses or ranges, such as 203.0.113.0/24.",
};

/** The units of the fields that aren't counts. */
const UNITS: Readonly<Partial<Record<Name, "$" | "¢">>> = {
  perOrder: "$",
  perDay: "$",
  total: "$",
  openExposure: "$",
  perMarket: "$",
  dailyLoss: "$",
  approvalAbove: "$",
  maxDistanceFromMid: "¢",
};
const UNIT_NAMES = { $: "dollars", "¢": "cents" } as const;

/** The fields of limits. An empty field limits nothing. */
export function LimitFields({ attempt, texts, whose, isReading = false }: Props) {
  if (isReading) return <ListField name="ipAllow" attempt={attempt} texts={texts} />;
  const isMore =
    [...MORE, ...LISTS].some((name) => texts[name] !== "" || attempt.getError(name) !== null) ||
    texts.blocked.length > 0;
  return (
    <div className="flex flex-col gap-4">
      <Grid>
        {FIRST.map((name) => (
          <TextField key={name} name={name} attempt={attempt} texts={texts} />
        ))}
      </Grid>
      <details open={isMore} className="rounded-control border border-border">
        <summary className="cursor-pointer px-3 py-3 font-[550] lg:py-2">More limits</summary>
        <div className="flex flex-col gap-4 px-3 pt-1 pb-4">
          <Grid>
            {MORE.map((name) => (
              <TextField key={name} name={name} attempt={attempt} texts={texts} />
            ))}
          </Grid>
          <BlockedActions attempt={attempt} texts={texts} whose={whose} />
          <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
            {LISTS.map((name) => (
              <ListField key={name} name={name} attempt={attempt} texts={texts} />
            ))}
          </div>
        </div>
      </details>
    </div>
  );
}

/** Pairs of short fields, also on a phone unless its text is enlarged. */
const Grid = ({ children }: { children: ReactNode }) => (
  <div className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-3 gap-y-4 sm:grid-cols-2 sm:gap-x-6">
    {children}
  </div>
);

interface FieldProps extends Pick<Props, "attempt" | "texts"> {
  name: Name;
}

function TextField({ name, attempt, texts }: FieldProps) {
  const error = attempt.getError(name);
  const unit = UNITS[name];
  return (
    <Field
      label={
        <>
          {LIMIT_LABELS[name]}
          {unit !== undefined && <span className="sr-only"> in {UNIT_NAMES[unit]}</span>}
        </>
      }
      htmlFor={name}
      help={HELP[name]}
      error={error}
    >
      <span className="relative block sm:max-w-48 print:flex">
        {unit !== undefined && (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-text-3 print:static print:[&:has(+input:placeholder-shown)]:hidden"
          >
            {unit}
          </span>
        )}
        <input
          {...describedBy(name, { help: HELP[name], error })}
          name={name}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          placeholder={name === "approvalAbove" ? "Never" : "No limit"}
          defaultValue={attempt.getText(name, texts[name])}
          className={`control num ${unit === undefined ? "" : "pl-7"}`}
        />
      </span>
    </Field>
  );
}

function ListField({ name, attempt, texts }: FieldProps) {
  const error = attempt.getError(name);
  return (
    <Field label={LIMIT_LABELS[name]} htmlFor={name} help={HELP[name]} error={error}>
      <textarea
        {...describedBy(name, { help: HELP[name], error })}
        name={name}
        rows={3}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="No limit"
        defaultValue={attempt.getText(name, texts[name])}
        className="control h-auto py-2 font-mono"
      />
    </Field>
  );
}

function BlockedActions({ attempt, texts, whose }: Props) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-[550]">
        {whose === "key" ? "The key can’t" : "This account can’t"}
      </legend>
      <div className="flex flex-wrap gap-x-6 gap-y-1">
        {LIMITED_ACTIONS.map((action) => {
          const name = `block${action}`;
          const isOn = attempt.failure
            ? attempt.failure.values[name] !== undefined
            : texts.blocked.includes(action);
          return (
            <label key={action} className="flex min-h-11 items-center gap-2 lg:min-h-7">
              <input
                type="checkbox"
                name={name}
                value="1"
                defaultChecked={isOn}
                className="size-4 accent-(--ink)"
              />
              {ACTION_LABELS[action]}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
