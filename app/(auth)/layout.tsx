import type { ReactNode } from "react";
import { Mark } from "@/components/shell/mark";

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-108 flex-col px-4 py-8 sm:justify-center">
      <p className="mb-2 flex items-center gap-2 text-heading">
        <Mark /> Ante
      </p>
      <p className="mb-6 text-text-2">
        Trade prediction markets from a dashboard or one API. An order placed once happens once, and
        every cent is accounted for.
      </p>
      {children}
    </main>
  );
}
