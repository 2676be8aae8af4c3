import Link from "next/link";
import { TimeStamp } from "@/components/format/time-stamp";
import { RefusalText } from "@/components/format/refusal-text";
import { buildSettingsHref } from "@/components/shell/settings-sections";
import { Callout } from "@/components/ui/callout";
import type { Principal } from "@/lib/auth/principal";
import { type ActiveFreeze, listFreezes } from "@/lib/limits/list-freezes";
import type { Mode } from "@/lib/venue/port";

/** Where the page has a freeze's own form, its notice would say the same again. */
const BESIDE_FORM: Readonly<Record<ActiveFreeze["scope"], string>> = {
  key: "[.shell:has(#freeze-key)_&]:hidden",
  account: "[.shell:has(#freeze-account)_&]:hidden",
  user: "[.shell:has(#freeze-user)_&]:hidden",
};

/** A notice on every page for what is frozen in the account: on a phone without its time and reason. */
export async function FreezeNotice({ principal }: { principal: Principal }) {
  const freezes = await listFreezes(principal);
  if (freezes.length === 0) return null;
  return (
    <div className="mb-4 flex flex-col gap-2">
      {freezes.map((freeze) => (
        <div key={freeze.keys[0]?.id ?? freeze.scope} className={BESIDE_FORM[freeze.scope]}>
          <Callout
            tone="danger"
            role="status"
            title={
              <>
                {nameFrozen(freeze, principal.mode)}{" "}
                <Link href={buildThawHref(freeze)} prefetch={false} className="link">
                  {freeze.isOperators ? "Details" : "Thaw"}
                </Link>
              </>
            }
          >
            <p className="max-sm:hidden">
              Since <TimeStamp at={freeze.at.toISOString()} isRelative={false} />.{" "}
              <RefusalText message={freeze.reason} />
              {freeze.isOperators && " Only the operator can thaw it."}
            </p>
          </Callout>
        </div>
      ))}
    </div>
  );
}

function nameFrozen({ scope, keys }: ActiveFreeze, mode: Mode): string {
  const names = keys.map(({ label }) => `“${label}”`).join(" and ");
  if (keys.length === 1) return `The API key ${names} is frozen: no new orders.`;
  if (keys.length > 1) return `The API keys ${names} are frozen: no new orders.`;
  const what = scope === "account" ? `This ${mode} account` : "Everything";
  return `${what} is frozen: no new orders, here or with any key.`;
}

const buildThawHref = ({ scope, keys: [key] }: ActiveFreeze) =>
  `${key ? `/keys/${key.id}` : buildSettingsHref("limits")}#freeze-${scope}`;
