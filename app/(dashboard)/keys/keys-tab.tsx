import { z } from "zod";
import { KeyTable } from "@/components/keys/key-table";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/states";
import type { Principal } from "@/lib/auth/principal";
import { curlLine } from "@/lib/domain/curl";
import { env } from "@/lib/env";
import { KeyList } from "@/lib/schemas/key-views";
import { listKeys } from "@/lib/services/keys/list-keys";

interface Props {
  principal: Principal;
  query: URLSearchParams;
}

/** The keys that work, and below them those that have ended. */
export async function KeysTab({ principal, query }: Props) {
  const { active, ended } = z.encode(KeyList, await listKeys(principal.userId));
  const revoked = ended.find(({ id }) => id === query.get("revoked"));
  const renamed = active.find(({ id }) => id === query.get("renamed"));
  return (
    <div className="flex flex-col gap-4">
      {renamed && (
        <Callout tone="success" role="status">
          The key is called “{renamed.name}” now.
        </Callout>
      )}
      {revoked && (
        <Callout tone="success" role="status">
          “{revoked.name}” is revoked. Requests with it are refused from now on.
        </Callout>
      )}
      <Card title="Active keys" isFlush>
        {active.length === 0 ? <NoKeys /> : <KeyTable caption="Active keys" keys={active} />}
      </Card>
      {ended.length > 0 && (
        <details className="card" open={revoked !== undefined}>
          <summary className="cursor-pointer px-3 py-3 font-[550] sm:px-4">
            Ended keys ({ended.length})
          </summary>
          <KeyTable caption="Ended keys" keys={ended} />
        </details>
      )}
    </div>
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
        A key lets a program read this account and trade for it. Give each program its own, so that
        one can be ended without the others.
      </EmptyState>
      <div className="px-3 pb-4 sm:px-4">
        <CodeBlock
          label="example"
          code={curlLine({ method: "GET", url: `${env().NEXTAUTH_URL}/v1/account/balance` })}
        />
      </div>
    </>
  );
}
