import { randomUUID } from "node:crypto";
import type { Metadata } from "next";
import Link from "next/link";
import { loadProof } from "@/app/(dashboard)/_proof/load-proof";
import { requireSession } from "@/app/_lib/require-session";
import { createKeyAction } from "@/app/(dashboard)/keys/actions";
import { CreateKeyForm } from "@/app/(dashboard)/keys/new/create-key-form";
import { PageHeader } from "@/components/ui/page-header";
import { ShownOncePage } from "@/components/ui/shown-once-page";
import { env } from "@/lib/env";
import { KEY_LIFETIMES } from "@/lib/limits/issue-key";
import { MAX_NAME_LENGTH } from "@/lib/auth/create-key";
import { findKeyTemplate, KEY_TEMPLATES, type KeyTemplateId } from "@/lib/domain/key-templates";

/** The starting points as links, so that they work without JavaScript. */
function TemplateLinks({ current }: { current: KeyTemplateId }) {
  return (
    <nav aria-label="Templates" className="mb-4 grid gap-2 sm:grid-cols-3">
      {KEY_TEMPLATES.map(({ id, title, text }) => (
        <Link
          key={id}
          href={`/keys/new?template=${id}`}
          replace
          scroll={false}
          prefetch={false}
          aria-current={id === current ? "true" : undefined}
          className="rounded-control border border-control px-3 py-2.5 hover:bg-surface-2 aria-[current]:border-text aria-[current]:bg-surface-2"
        >
          <span className="block font-[550]">{title}</span>
          <span className="block text-small text-text-2">{text}</span>
        </Link>
      ))}
    </nav>
  );
}

export const metadata: Metadata = { title: "Create API key" };

const PURPOSE = {
  paper: "For programs that trade paper money on your behalf.",
  live: "For programs that trade real money on your behalf. The key can only use your live wallet.",
} as const;

interface Props {
  searchParams: Promise<{ template?: string }>;
}

export default async function CreateKeyPage({ searchParams }: Props) {
  const session = await requireSession();
  const { mode } = session.principal;
  const template = findKeyTemplate((await searchParams).template);
  return (
    <ShownOncePage
      head={
        <>
          <PageHeader title="Create API key" description={PURPOSE[mode]} />
          <TemplateLinks current={template.id} />
        </>
      }
    >
      {/* The key starts the form again with the fields of the template. */}
      <CreateKeyForm
        key={template.id}
        template={template}
        formId={randomUUID()}
        action={createKeyAction}
        origin={env().NEXTAUTH_URL}
        maxName={MAX_NAME_LENGTH}
        lifetimes={KEY_LIFETIMES}
        proof={mode === "live" ? await loadProof(session, "live_key") : null}
      />
    </ShownOncePage>
  );
}
