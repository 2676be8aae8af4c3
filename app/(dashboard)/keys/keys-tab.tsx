import { z } from "zod";
import { formatCount } from "@/components/format/numbers";
import type { KeyLineWire } from "@/components/keys/key-state";
import { KeyTable } from "@/components/keys/key-table";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/states";
import type { Principal } from "@/lib/auth/principal";
import { formatCurl } from "@/lib/domain/curl";
import { env } from "@/lib/env";
import { KeyList } from "@/lib/schemas/key-views";
import { listKeys } from "@/lib/auth/list-keys";

interface Props {
  principal: Principal;
  query: URLSearchParams;
}

/** The active keys of the mode, then the other mode's keys and the ended ones. */
export async function KeysTab({ principal, query }: Props) {
  const { active, ended } = z.encode(KeyList, await listKeys(principal.userId));
  const revoked = ended.find(({ id }) => id === query.get("revoked"));
  const made = active.find(({ id }) => id === query.get("made"));
  const renamed = active.find(({ id }) => id === query.get("renamed"));
  const own = active.filter(({ mode }) => mode === principal.mode);
  const others = active.filter(({ mode }) => mode !== principal.mode);
  return (
    <div className="flex flex-col gap-4">
      {made && (
        <Callout tone="warn" role="status" title={`“${made.label}” was created before`}>
          The form was sent again, which created no second key. If you didn&rsquo;t save the key,
          revoke it and create another one: it can&rsquo;t be shown again.
        </Callout>
      )}
      {renamed && (
        <Callout tone="success" role="status">
          Key renamed to “{renamed.name}”.
        </Callout>
      )}
      {revoked && (
        <Callout tone="success" role="status">
          “{revoked.label}” is revoked. Requests with it now fail.
        </Callout>
      )}
      <Card title={`Active keys for ${modeName(principal.mode)}`} isFlush>
        {own.length === 0 ? <NoKeys /> : <KeyTable caption="Active keys" keys={own} />}
      </Card>
      <MoreKeys
        title={`Active keys for ${modeName(principal.mode === "live" ? "paper" : "live")}`}
        keys={others}
        isOpen={renamed !== undefined && others.includes(renamed)}
      />
      <MoreKeys title="Inactive keys" keys={ended} isOpen={revoked !== undefined} />
    </div>
  );
}

const modeName = (mode: Principal["mode"]) => (mode === "live" ? "live trading" : "paper trading");

interface MoreProps {
  title: string;
  keys: readonly KeyLineWire[];
  isOpen: boolean;
}

/** A collapsed list of further keys. */
function MoreKeys({ title, keys, isOpen }: MoreProps) {
  if (keys.length === 0) return null;
  return (
    <details className="card" open={isOpen}>
      <summary className="cursor-pointer px-3 py-3 font-[550] sm:px-4">
        {title} ({formatCount(keys.length)})
      </summary>
      <KeyTable caption={title} keys={keys} />
    </details>
  );
}

function NoKeys() {
  return (
    <>
      <EmptyState
        action={
          <ButtonLink tone="primary" href="/keys/new">
            Create key
          </ButtonLink>
        }
      >
        Keys let your programs read and trade this account. Use one key per program so you can
        revoke each on its own.
      </EmptyState>
      <div className="px-3 pb-4 sm:px-4">
        <CodeBlock
          label="example"
          code={formatCurl({ method: "GET", url: `${env().NEXTAUTH_URL}/v1/account/balance` })}
        />
      </div>
    </>
  );
}
