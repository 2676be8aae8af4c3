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

/** Finds what is missing before anything can be compared; null if nothing is. */
export function checkSignIn({ email, password }: Credentials): CredentialsProblem | null {
  if (email.trim() === "") return { field: "email", message: "Enter your email address." };
  if (password === "") return { field: "password", message: "Enter your password." };
  return null;
}

/** Finds what a new account can't have; null for nothing. The server knows common passwords too. */
export function checkSignUp({ email, password }: Credentials): CredentialsProblem | null {
  const typed = email.trim();
  if (typed.length > MAX_EMAIL_LENGTH || !EMAIL.test(typed)) {
    return { field: "email", message: "Enter an email address, like name@example.com." };
  }
  const message = findLengthProblem(password);
  return message === null ? null : { field: "password", message };
}

/** Finds why a new password is too short or too long; null if it is neither. */
export function findLengthProblem(password: string): string | null {
  const length = [...password].length;
  if (length < MIN_PASSWORD_LENGTH) return `Use at least ${MIN_PASSWORD_LENGTH} characters.`;
  if (length > MAX_PASSWORD_LENGTH) return `Use at most ${MAX_PASSWORD_LENGTH} characters.`;
  return null;
}
