import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import DashboardLayout from "@/app/(dashboard)/layout";
import NotFound from "@/app/not-found";
import { LostPage } from "@/components/system/lost-page";

export const metadata: Metadata = { title: "Page not found" };

/** Every path that no other page has. */
async function UnknownPage(): Promise<never> {
  notFound();
}

/** The 404 page: in the dashboard for a user who is signed in. */
async function Lost() {
  if ((await getSession()) === null) return <NotFound isSignedOut />;
  return (
    <DashboardLayout>
      <LostPage />
    </DashboardLayout>
  );
}

export default withNotFound(UnknownPage, Lost);
