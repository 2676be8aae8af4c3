import { describedBy, Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";

interface Props {
  /** Prefixes the field's id, because a page can have several of them. */
  id: string;
  email: string;
  error: string | null;
}

const HELP = "Your Ante password shows that it's you.";

/** The owner's password, for a change that lets more through. */
export function OwnerPassword({ id, email, error }: Props) {
  return (
    <>
      {/* Tells password managers the account. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <div className="max-w-sm">
        <Field label="Password" htmlFor={id} help={HELP} error={error}>
          <PasswordInput
            {...describedBy(id, { help: HELP, error })}
            name="current"
            autoComplete="current-password"
          />
        </Field>
      </div>
    </>
  );
}
