import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { fillMarket } from "@/app/docs/_lib/fill-market";
import { listGroups, type ReferenceGroup } from "@/app/docs/_lib/reference";
import { Article } from "@/components/docs/article";
import { OperationSection } from "@/components/docs/operation-section";
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
  const market = await findExampleMarket();
  return (
    <Article
      path={href}
      title={name}
      lead={description}
      sections={operations.map(({ id, title }) => ({ id, label: title }))}
    >
      <div className="mt-6">
        {fillMarket(operations, market).map((operation) => (
          <OperationSection key={operation.id} operation={operation} />
        ))}
      </div>
    </Article>
  );
}

function findGroup({ group: slug }: Awaited<Props["params"]>): ReferenceGroup {
  return listGroups().find((group) => group.slug === slug) ?? notFound();
}
