"use client";

import { SelectField, ToggleField } from "@/components/settings/choices";
import type { SectionProps } from "@/components/settings/form-state";
import { SettingsForm } from "@/components/settings/settings-form";
import { describedBy, Field } from "@/components/ui/field";
import type { TradingSettings } from "@/lib/schemas/settings";

const ORDER_TYPES = [
  { value: "market", label: "Market: at once, at the best prices" },
  { value: "limit", label: "Limit: at your price, or wait" },
] as const;

/** What a new ticket starts from. */
export function TradingForm({
  settings,
  ...section
}: SectionProps & { settings: TradingSettings }) {
  return (
    <SettingsForm {...section}>
      {({ errorOf, textOf, isOn }) => (
        <>
          <ToggleField
            name="reviewOrders"
            label="Review orders before placing"
            help="A last look at cost and average price. Orders that move the price a lot are always reviewed."
            isOn={isOn("reviewOrders", settings.reviewOrders)}
          />
          <SelectField
            name="defaultOrderType"
            label="Order type of a new ticket"
            value={textOf("defaultOrderType", settings.defaultOrderType)}
            options={ORDER_TYPES}
          />
          <NumberField
            name="priceProtectionCents"
            label="Price limit of market orders, in cents"
            help="A market order fills at most this far from the best price; what would cost more is not bought. 1 to 20."
            value={textOf("priceProtectionCents", String(settings.priceProtectionCents))}
            error={errorOf("priceProtectionCents")}
          />
          <fieldset>
            <legend className="mb-1.5 font-[550]">Quick amounts, in dollars</legend>
            <div className="grid max-w-sm grid-cols-3 gap-2">
              {settings.quickAmounts.map((amount, index) => (
                <NumberField
                  key={QUICK_FIELDS[index]}
                  name={`quickAmount${index + 1}`}
                  label={QUICK_FIELDS[index] ?? ""}
                  value={textOf(`quickAmount${index + 1}`, String(amount))}
                  error={errorOf(`quickAmount${index + 1}`)}
                />
              ))}
            </div>
            <p className="mt-1.5 text-small text-text-2">
              What the buttons under the ticket&rsquo;s amount add.
            </p>
          </fieldset>
        </>
      )}
    </SettingsForm>
  );
}

const QUICK_FIELDS = ["First", "Second", "Third"] as const;

interface NumberProps {
  name: string;
  label: string;
  help?: string;
  value: string;
  error: string | null;
}

function NumberField({ name, label, help, value, error }: NumberProps) {
  return (
    <Field label={label} htmlFor={name} help={help} error={error}>
      <input
        {...describedBy(name, { help, error })}
        name={name}
        defaultValue={value}
        inputMode="numeric"
        autoComplete="off"
        className="control sm:max-w-sm"
      />
    </Field>
  );
}
