import { issueText } from "@/components/trading/ticket/wording";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { describedBy, Field } from "@/components/ui/field";
import type { TicketData } from "@/lib/client/use-ticket";
import { sizeField, type TextField, type TicketForm } from "@/lib/domain/ticket/form";
import type { TicketIssue } from "@/lib/domain/ticket/issues";

interface Props {
  data: TicketData;
  issues: readonly TicketIssue[];
  token: string;
}

/** What has to be put right, with the fields to do it in: what was typed is kept. */
export function FormErrors({ data, issues, token }: Props) {
  const { form } = data;
  const fields: TextField[] = [
    ...(form.type === "limit" ? (["price"] as const) : []),
    sizeField(form),
  ];
  return (
    <form action="/trade/review" className="flex flex-col gap-4">
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="side" value={form.action === "BUY" ? "buy" : "sell"} />
      <input type="hidden" name="type" value={form.type} />
      {issues.length > 0 && (
        <Callout tone="danger" role="alert" title="The order can't be placed yet">
          <ul className="mt-1 list-disc pl-5">
            {issues.map((issue) => (
              <li key={`${issue.field} ${issue.kind}`}>
                {issue.field === null ? (
                  issueText(issue)
                ) : (
                  <a className="link" href={`#${issue.field}`}>
                    {issueText(issue)}
                  </a>
                )}
              </li>
            ))}
          </ul>
        </Callout>
      )}
      {fields.map((field) => (
        <TextInput key={field} field={field} form={form} issues={issues} />
      ))}
      <Button type="submit" tone="primary" size="large" isWide>
        Review order
      </Button>
    </form>
  );
}

const LABELS = { price: "Limit price (¢)", amount: "Amount (USDC)", shares: "Shares" } as const;

interface InputProps {
  field: TextField;
  form: TicketForm;
  issues: readonly TicketIssue[];
}

function TextInput({ field, form, issues }: InputProps) {
  const issue = issues.find((candidate) => candidate.field === field);
  const error = issue ? issueText(issue) : null;
  return (
    <Field label={LABELS[field]} htmlFor={field} error={error}>
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
