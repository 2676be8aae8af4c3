import { SECURITY_HREF } from "@/components/shell/settings-sections";
import type { PasskeySupport } from "@/lib/domain/second-factor";

/** Says why this page can't add a passkey, and where one can. */
export function PasskeyPlace({ support }: { support: Exclude<PasskeySupport, "here"> }) {
  if (support === "nowhere") {
    return "Passkeys need a host name and https on this server. Ask the operator, or use an authenticator app.";
  }
  return (
    <>
      Browsers offer passkeys for names, not for numeric addresses. Open{" "}
      <a href={`${support.at}${SECURITY_HREF}`} className="link">
        {support.at}
      </a>{" "}
      to add one.
    </>
  );
}
