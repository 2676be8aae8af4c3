import type { ReactNode } from "react";
import { ProductPicture } from "@/app/(auth)/product-picture";
import { Mark } from "@/components/shell/mark";

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto grid min-h-dvh w-full max-w-108 content-center gap-x-24 px-4 py-8 max-sm:content-start lg:max-w-256 lg:grid-cols-[25rem_minmax(0,28rem)] lg:items-center lg:justify-between">
      <main>
        <p className="mb-2 flex items-center gap-2 text-heading">
          <Mark /> Ante
        </p>
        <p className="mb-6 text-text-2">
          Trade prediction markets from a dashboard or one API. A retry never buys twice, and every
          cent is accounted for.
        </p>
        {children}
      </main>
      <ProductPicture />
    </div>
  );
}
