import { MaskedText } from "@/components/format/masked-text";
import { formatZone } from "@/components/format/times";
import { describeIssue } from "@/components/trading/wording";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { describedBy, Field } from "@/components/ui/field";
import type { TicketData } from "@/lib/browser/use-ticket";
import {
  type OptionField,
  type SizeField,
  chooseSizeField,
  EXPIRIES,
  type TicketField,
  type TicketForm,
} from "@/lib/domain/ticket/form";
import type { TicketIssue } from "@/lib/domain/ticket/issues";

interface Props {
  data: TicketData;
  issues: readonly TicketIssue[];
  token: string;
  /** The time zone of typed expiries. */
  zone: string;
}

/** The issues of an order, with its fields to correct them. */
export function FormErrors({ data, issues, token, zone }: Props) {
  const { form } = data;
  const fields: NumberField[] = [
    ...(form.type === "limit" ? (["price"] as const) : []),
    chooseSizeField(form),
  ];
  const getError = (field: TicketField) => {
    const issue = issues.find((candidate) => candidate.field === field);
    return issue ? describeIssue(issue) : null;
  };
  return (
    <form action="/trade/review" className="flex flex-col gap-4">
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="side" value={form.action === "BUY" ? "buy" : "sell"} />
      <input type="hidden" name="type" value={form.type} />
      <input type="hidden" name="unit" value={form.unit} />
      {issues.length > 0 && (
        <Callout tone="danger" role="alert" title="The order can&rsquo;t be placed yet">
          <ul className="mt-1 list-disc pl-5">
            {issues.map((issue) => (
              <li key={`${issue.field} ${issue.kind}`}>
                {issue.field === null ? (
                  <MaskedText text={describeIssue(issue)} />
                ) : (
                  <a className="link inline-block min-h-6" href={`#${issue.field}`}>
                    <MaskedText text={describeIssue(issue)} />
                  </a>
                )}
              </li>
            ))}
          </ul>
        </Callout>
      )}
      {fields.map((field) => (
        <NumberInput key={field} field={field} form={form} error={getError(field)} />
      ))}
      {form.type === "limit" ? (
        <>
          <ExpiryInputs form={form} zone={zone} error={getError("expires")} />
          <OptionInput
            field="postOnly"
            label="Post only"
            isOn={form.postOnly}
            error={getError("postOnly")}
          />
        </>
      ) : (
        <OptionInput
          field="fillOrKill"
          label="All or nothing"
          isOn={form.fillOrKill}
          error={getError("fillOrKill")}
        />
      )}
      <Button type="submit" tone="primary" size="large" isWide>
        Review order
      </Button>
    </form>
  );
}

type NumberField = SizeField | "price";

const LABELS = { price: "Limit price (¢)", amount: "Amount (USDC)", shares: "Shares" } as const;

interface NumberInputProps {
  field: NumberField;
  form: TicketForm;
  error: string | null;
}

function NumberInput({ field, form, error }: NumberInputProps) {
  return (
    <Field label={LABELS[field]} htmlFor={field} error={error && <MaskedText text={error} />}>
      <input
        {...describedBy(field, { error })}
        name={field === "price" ? "cents" : field}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={form[field]}
        className="control"
      />
    </Field>
  );
}

interface ExpiryProps {
  form: TicketForm;
  zone: string;
  error: string | null;
}

function ExpiryInputs({ form, zone, error }: ExpiryProps) {
  return (
    // CSS shows the time field while "Custom" is selected.
    <div className="group flex flex-col gap-4">
      <Field label="Expires" htmlFor="expiry">
        <select id="expiry" name="expiry" defaultValue={form.expiry} className="control">
          {EXPIRIES.map(([expiry, label]) => (
            <option key={expiry} value={expiry}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      <div className="hidden with-time:block">
        <Field label={`Date and time (${formatZone(zone)})`} htmlFor="expires" error={error}>
          <input
            {...describedBy("expires", { error })}
            name="expires"
            type="datetime-local"
            defaultValue={form.expires}
            className="control num"
          />
        </Field>
      </div>
    </div>
  );
}

interface OptionProps {
  field: OptionField;
  label: string;
  isOn: boolean;
  error: string | null;
}

function OptionInput({ field, label, isOn, error }: OptionProps) {
  return (
    <div className="flex flex-col gap-1">
      <div className="flex min-h-11 items-center gap-3 lg:min-h-7">
        <input
          {...describedBy(field, { error })}
          name={field}
          value="true"
          type="checkbox"
          defaultChecked={isOn}
          className="size-5 accent-(--ink) lg:size-4"
        />
        <label htmlFor={field} className="font-[550]">
          {label}
        </label>
      </div>
      {error !== null && (
        <p id={`${field}-error`} className="text-small text-danger">
          <MaskedText text={error} />
        </p>
      )}
    </div>
  );
}
