import type { Metadata } from "next";
import { cookies } from "next/headers";
import { notFound } from "next/navigation";
import { fillMarket } from "@/app/docs/_lib/fill-market";
import { listGroups, type ReferenceGroup } from "@/app/docs/_lib/reference";
import { Article } from "@/components/docs/article";
import { OperationSection } from "@/components/docs/operation-section";
import { listGuides } from "@/components/docs/pages";
import { RememberLanguage } from "@/components/docs/remember-language";
import { DOCS_LANGUAGE_COOKIE, parseDocsLanguage } from "@/lib/browser/docs-language";
import { findExampleMarket } from "@/lib/markets/find-example-market";

interface Props {
  params: Promise<{ group: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: findGroup(await params).name };
}

/** The operations of a group. */
export default async function GroupPage({ params }: Props) {
  const { slug, name, description, href, operations } = findGroup(await params);
  const [market, jar] = await Promise.all([findExampleMarket(), cookies()]);
  const language = parseDocsLanguage(jar.get(DOCS_LANGUAGE_COOKIE)?.value);
  return (
    <Article
      path={href}
      title={name}
      lead={description}
      sections={operations.map(({ id, title }) => ({ id, label: title }))}
    >
      <RememberLanguage />
      <Guides group={slug} />
      <div className="mt-6">
        {fillMarket(operations, market).map((operation) => (
          <OperationSection key={operation.id} operation={operation} language={language} />
        ))}
      </div>
    </Article>
  );
}

function Guides({ group }: { group: string }) {
  const guides = listGuides(group);
  if (guides.length === 0) return null;
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-4 text-text-2">
      Read also
      {guides.map(({ href, label }) => (
        <a key={href} href={href} className="link inline-flex min-h-11 items-center lg:min-h-6">
          {label}
        </a>
      ))}
    </p>
  );
}

function findGroup({ group: slug }: Awaited<Props["params"]>): ReferenceGroup {
  return listGroups().find((group) => group.slug === slug) ?? notFound();
}
