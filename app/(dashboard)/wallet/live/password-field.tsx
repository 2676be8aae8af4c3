import { describedBy, Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";

const HELP = "Asked again, so that a browser left open cannot do this.";

/** The password of the account that is signed in. */
export function PasswordField({ email, error }: { email: string; error: string | null }) {
  return (
    <>
      {/* Tells a password manager whose password it is. */}
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
