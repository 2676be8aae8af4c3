import type { ReactNode } from "react";

/** Names and values, one line each. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="divide-y divide-border">
      {facts.map(([name, value]) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-2">
          <dt className="text-text-2">{name}</dt>
          <dd className="num sm:text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
