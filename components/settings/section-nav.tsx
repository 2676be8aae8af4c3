const SECTIONS = [
  { id: "trading", label: "Trading" },
  { id: "display", label: "Display" },
  { id: "region", label: "Region" },
  { id: "account", label: "Password" },
  { id: "sessions", label: "Browsers" },
] as const;

/** The sections of the settings page. */
export function SectionNav() {
  return (
    <nav aria-label="Settings" className="min-w-0 lg:sticky lg:top-20 lg:self-start">
      <ul className="flex gap-1 overflow-x-auto lg:flex-col">
        {SECTIONS.map(({ id, label }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="flex h-11 items-center rounded-control px-3 font-[550] whitespace-nowrap text-text-2 hover:bg-surface-2 hover:text-text lg:h-8"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
