import { describedBy, Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";

const HELP = "Confirm your password to protect your wallet.";

/** The password of the signed-in account. */
export function PasswordField({ email, error }: { email: string; error: string | null }) {
  return (
    <>
      {/* Tells password managers the account. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <div className="max-w-sm">
        <Field label="Your Ante password" htmlFor="current" help={HELP} error={error}>
          <PasswordInput
            {...describedBy("current", { help: HELP, error })}
            name="current"
            autoComplete="current-password"
          />
        </Field>
      </div>
    </>
  );
}
