// Users with second factors, and what they send.
import { Secret, TOTP } from "otpauth";
import { finishPasskey, startPasskey } from "@/lib/auth/second-factor/register-passkey";
import {
  confirmTotpSetup,
  findTotpSetup,
  startTotpSetup,
} from "@/lib/auth/second-factor/set-up-totp";
import { findSession, type Session } from "@/lib/auth/session";
import { startSession } from "@/lib/auth/start-session";
import { SoftwareAuthenticator } from "@/tests/support/second-factor/authenticator";

export const PASSWORD = "correct horse battery staple";
export const ORIGIN = "https://ante.example";

let addresses = 0;

/** Returns an address that no other call returns, so that only the limits of accounts count. */
export const nextAddress = () => `192.0.2.${(addresses += 1)}`;

/** Opens a session of a user without a second factor. */
export async function openSession(userId: string): Promise<Session> {
  const browser = { address: nextAddress(), userAgent: "test" };
  const session = await findSession((await startSession(userId, browser)).cookie);
  if (!session) throw new Error("the session has begun");
  return session;
}

/** An authenticator app. */
export interface App {
  codeAt: (timestamp: number) => string;
}

/** Sets up an authenticator app with the password, in a session without other factors. */
export async function setUpApp(
  session: Session,
  now: number,
): Promise<{ app: App; codes: string[] }> {
  await startTotpSetup(session, { address: nextAddress(), password: PASSWORD });
  const app = await readApp(session);
  const codes = await confirmTotpSetup(session, app.codeAt(now));
  return { app, codes: codes ?? [] };
}

/** Reads the app's secret from the setup that the session sees. */
export async function readApp(session: Session): Promise<App> {
  const setup = await findTotpSetup(session);
  if (!setup) throw new Error("the setup has begun");
  const secret = Secret.fromBase32(setup.secret.replaceAll(" ", ""));
  return { codeAt: (timestamp) => TOTP.generate({ secret, timestamp }) };
}

/** Adds a passkey with the password, in a session without other factors. */
export async function addPasskey(session: Session): Promise<{
  authenticator: SoftwareAuthenticator;
  codes: string[];
}> {
  const authenticator = new SoftwareAuthenticator(ORIGIN);
  const proof = { address: nextAddress(), password: PASSWORD };
  const options = await startPasskey(session, "laptop", proof);
  const codes = await finishPasskey(session, "laptop", authenticator.register(options));
  return { authenticator, codes: codes ?? [] };
}
