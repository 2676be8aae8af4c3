import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";

export const metadata: Metadata = { title: "Portfolio" };

export default function PortfolioPage() {
  return <PageHeader title="Portfolio" />;
}
