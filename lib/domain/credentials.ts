/** What a person types to sign in or to sign up. */
export interface Credentials {
  email: string;
  password: string;
}

export interface CredentialsProblem {
  field: keyof Credentials;
  message: string;
}

export const MIN_PASSWORD_LENGTH = 12;
const MAX_PASSWORD_LENGTH = 256;
const MAX_EMAIL_LENGTH = 254;
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** A name, and a host with a dot in it. */
const EMAIL = new RegExp(`^[\\w.!#$%&'*+/=?^\`{|}~-]{1,64}@(?:${LABEL}\\.)+${LABEL}$`, "i");

/** Finds the fields that are missing before anything can be compared. */
export function checkSignIn({ email, password }: Credentials): CredentialsProblem[] {
  return listProblems(
    email.trim() === "" ? "Enter your email address." : null,
    password === "" ? "Enter your password." : null,
  );
}

/** Finds the fields that a new account can't have. The server knows common passwords too. */
export function checkSignUp({ email, password }: Credentials): CredentialsProblem[] {
  const typed = email.trim();
  const isEmail = typed.length <= MAX_EMAIL_LENGTH && EMAIL.test(typed);
  return listProblems(
    isEmail ? null : "Enter an email address, like name@example.com.",
    findLengthProblem(password),
  );
}

function listProblems(email: string | null, password: string | null): CredentialsProblem[] {
  return [
    ...(email === null ? [] : [{ field: "email", message: email } as const]),
    ...(password === null ? [] : [{ field: "password", message: password } as const]),
  ];
}

const TOO_SHORT = `Use at least ${MIN_PASSWORD_LENGTH} characters.`;

/** Writes the help of a new password's field, without what the field's error says already. */
export function writePasswordHelp(error: string | null): string {
  const advice = "A short phrase works well.";
  return error === TOO_SHORT ? advice : `At least ${MIN_PASSWORD_LENGTH} characters. ${advice}`;
}

/** Finds why a new password is too short or too long; null if it is neither. */
export function findLengthProblem(password: string): string | null {
  const length = [...password].length;
  if (length < MIN_PASSWORD_LENGTH) return TOO_SHORT;
  if (length > MAX_PASSWORD_LENGTH) return `Use at most ${MAX_PASSWORD_LENGTH} characters.`;
  return null;
}
