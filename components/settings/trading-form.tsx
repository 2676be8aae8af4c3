"use client";

import { SelectField, ToggleField } from "@/components/settings/choices";
import { type SectionProps, SettingsForm } from "@/components/settings/settings-form";
import { describedBy, Field } from "@/components/ui/field";
import type { TradingSettings } from "@/lib/schemas/settings";

const ORDER_TYPES = [
  { value: "market", label: "Market: fill now at the best price" },
  { value: "limit", label: "Limit: fill at your price or better" },
] as const;

/** The defaults of new orders. */
export function TradingForm({
  settings,
  ...section
}: SectionProps & { settings: TradingSettings }) {
  return (
    <SettingsForm {...section}>
      {({ getError, getText, isOn }) => (
        <>
          <ToggleField
            name="reviewOrders"
            label="Review orders before placing"
            help="Shows cost and average price first. We always review orders that move the price a lot."
            isOn={isOn("reviewOrders", settings.reviewOrders)}
          />
          <SelectField
            name="defaultOrderType"
            label="Default order type"
            value={getText("defaultOrderType", settings.defaultOrderType)}
            options={ORDER_TYPES}
          />
          <NumberField
            name="priceProtectionCents"
            label="Price limit of market orders (cents)"
            help="A market order fills up to this far from the best price: 1 to 20¢."
            value={getText("priceProtectionCents", String(settings.priceProtectionCents))}
            error={getError("priceProtectionCents")}
          />
          <fieldset>
            <legend className="mb-1.5 font-[550]">Quick amounts (dollars)</legend>
            <div className="grid max-w-sm grid-cols-3 gap-2">
              {settings.quickAmounts.map((amount, index) => (
                <NumberField
                  key={QUICK_FIELDS[index]}
                  name={`quickAmount${index + 1}`}
                  label={QUICK_FIELDS[index] ?? ""}
                  value={getText(`quickAmount${index + 1}`, String(amount))}
                  error={getError(`quickAmount${index + 1}`)}
                />
              ))}
            </div>
            <p className="mt-1.5 text-small text-text-2">
              Shown as quick-add buttons in the ticket.
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
