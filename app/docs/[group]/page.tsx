import type { Metadata } from "next";
import { cookies } from "next/headers";
import { notFound } from "next/navigation";
import { fillMarket } from "@/app/docs/_lib/fill-market";
import { listGroups, type ReferenceGroup } from "@/app/docs/_lib/reference";
import { Article } from "@/components/docs/article";
import { OperationSection } from "@/components/docs/operation-section";
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
  const { name, description, href, operations } = findGroup(await params);
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
      <div className="mt-6">
        {fillMarket(operations, market).map((operation) => (
          <OperationSection key={operation.id} operation={operation} language={language} />
        ))}
      </div>
    </Article>
  );
}

function findGroup({ group: slug }: Awaited<Props["params"]>): ReferenceGroup {
  return listGroups().find((group) => group.slug === slug) ?? notFound();
}
