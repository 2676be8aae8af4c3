import Link from "next/link";
import {
  buildSettingsHref,
  listSections,
  type SettingsSection,
} from "@/components/shell/settings-sections";

interface Props {
  isShared: boolean;
  current: SettingsSection;
}

/** Links to the sections of the settings, beside the open one; in two rows above it on a phone. */
export function SectionNav({ isShared, current }: Props) {
  return (
    <nav aria-label="Settings" className="min-w-0">
      <ul className="-mx-1 flex flex-wrap gap-1 p-1 lg:flex-col">
        {listSections(isShared).map(({ id, label }) => (
          <li key={id}>
            <Link
              href={buildSettingsHref(id)}
              prefetch={false}
              scroll={false}
              aria-current={id === current ? "page" : undefined}
              className="flex h-11 items-center rounded-control px-2 font-[550] whitespace-nowrap text-text-2 hover:bg-surface-2 hover:text-text aria-[current]:bg-surface-3 aria-[current]:text-text sm:px-3 lg:h-9"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
