import type { Metadata } from "next";
import { Mark } from "@/components/shell/mark";
import { LostPage } from "@/components/system/lost-page";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFound({ isSignedOut = false }: { isSignedOut?: boolean }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-116 flex-col px-4 py-8 sm:justify-center">
      <a href="/" className="flex h-11 items-center gap-2 text-heading">
        <Mark /> Ante
      </a>
      <LostPage isSignedOut={isSignedOut} />
    </main>
  );
}
