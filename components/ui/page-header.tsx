import type { ReactNode } from "react";

interface Props {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, description, actions }: Props) {
  return (
    <header className="mb-4 flex flex-wrap justify-between gap-3 max-sm:items-center sm:items-end">
      <div className="min-w-0">
        <h1 className="text-title">{title}</h1>
        {description !== undefined && <p className="mt-0.5 text-text-2">{description}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
