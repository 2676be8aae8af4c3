import { OperationCall } from "@/components/docs/operation-call";
import type { OperationDoc } from "@/components/docs/operation-doc";

interface Group {
  name: string;
  description: string;
  /** The address of the group's page. */
  href: string;
  operations: readonly OperationDoc[];
}

/**
 * All operations by group, with links to their pages. The reference used to be one page, so an entry
 * has its operation's id: an old link leads to the entry.
 */
export function OperationIndex({ groups }: { groups: readonly Group[] }) {
  return (
    <section id="operations" aria-labelledby="operations-title" className="mt-8">
      <h2 id="operations-title" className="text-heading">
        <a href="#operations" className="hover:underline">
          All operations
        </a>
      </h2>
      <div className="mt-4 gap-x-8 xl:columns-2">
        {groups.map((group) => (
          <GroupCard key={group.name} group={group} />
        ))}
      </div>
    </section>
  );
}

function GroupCard({ group: { name, description, href, operations } }: { group: Group }) {
  const titleId = `chapter-${name}`;
  return (
    <section aria-labelledby={titleId} className="mb-6 card break-inside-avoid overflow-hidden">
      <div className="p-3">
        <h3 id={titleId} className="font-[550]">
          <a href={href} className="link inline-flex min-h-11 items-center lg:min-h-6">
            {name}
          </a>
        </h3>
        <p className="text-text-2">{description}</p>
      </div>
      <ul>
        {operations.map(({ id, title, method, path }) => (
          <li key={id} id={id} className="scroll-mt-20 border-t border-border target:bg-surface-3">
            <a
              href={`${href}#${id}`}
              className="flex min-h-11 flex-col justify-center gap-1 px-3 py-2 hover:bg-surface-2"
            >
              <span className="font-[550]">{title}</span>
              <OperationCall method={method} path={path} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
