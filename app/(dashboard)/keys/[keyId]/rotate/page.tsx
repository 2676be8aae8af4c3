import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { z } from "zod";
import { loadProof } from "@/app/(dashboard)/_proof/load-proof";
import { requireSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import KeyNotFound from "@/app/(dashboard)/keys/[keyId]/not-found";
import { rotateKeyAction } from "@/app/(dashboard)/keys/actions";
import { RotateKeyForm } from "@/app/(dashboard)/keys/[keyId]/rotate/rotate-key-form";
import { TimeStamp } from "@/components/format/time-stamp";
import { KeyPrefix } from "@/components/keys/key-state";
import { ButtonLink } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { ShownOncePage } from "@/components/ui/shown-once-page";
import { EmptyState } from "@/components/ui/states";
import { env } from "@/lib/env";
import type { KeyLine } from "@/lib/schemas/key-views";
import { findActiveKey, findKey } from "@/lib/auth/list-keys";

export const metadata: Metadata = { title: "Rotate API key" };

interface Props {
  params: Promise<{ keyId: string }>;
}

type Line = z.output<typeof KeyLine>;

async function RotateKeyPage({ params }: Props) {
  const session = await requireSession();
  const { principal } = session;
  const { keyId } = await params;
  const key = await findKey(principal.userId, keyId);
  if (!key || (key.state !== "active" && key.replacedBy === null)) notFound();
  const isReplaced = key.replacedBy !== null;
  return (
    <ShownOncePage
      head={
        <PageHeader
          title={isReplaced ? `“${key.name}” was rotated` : `Rotate “${key.name}”`}
          description={isReplaced ? undefined : "You get a new key with the same name and scopes."}
        />
      }
    >
      {/* Without JavaScript, this page is the response to its own form, which has the new key. */}
      <RotateKeyForm
        action={rotateKeyAction}
        keyId={keyId}
        origin={env().NEXTAUTH_URL}
        proof={key.mode === "live" ? await loadProof(session, "live_key") : null}
        replaced={
          key.replacedBy !== null && (
            <Replaced line={key} by={await findActiveKey(principal.userId, key.replacedBy)} />
          )
        }
      />
    </ShownOncePage>
  );
}

export default withNotFound(RotateKeyPage, KeyNotFound);

/** A key can be rotated once. Links to its successor if that is active. */
function Replaced({ line, by }: { line: Line; by: Line | null }) {
  const { expiresAt } = line;
  return (
    <section className="card">
      <EmptyState
        action={
          by?.replacedBy === null ? (
            <ButtonLink href={`/keys/${by.id}/rotate`}>Rotate the new key</ButtonLink>
          ) : (
            <ButtonLink href="/keys">Show your keys</ButtonLink>
          )
        }
      >
        {by ? (
          <>
            “{by.name}” <KeyPrefix mode={by.mode} id={by.id} /> is the new key.
          </>
        ) : (
          "The new key is no longer active."
        )}
        {expiresAt !== null && (
          <>
            {" "}
            This one expires at <TimeStamp at={expiresAt.toISOString()} isRelative={false} />.
          </>
        )}
      </EmptyState>
    </section>
  );
}
