import { ButtonLink } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";

/** The pages of second factors for the shared demo account; see `refuseShared`. */
export default function SharedAccount() {
  return (
    <>
      <PageHeader title="Not available in the shared demo" />
      <section className="card">
        <EmptyState action={<ButtonLink href="/settings">Settings</ButtonLink>}>
          Everyone who tries the demo shares this account, so its sign-in and second factors
          can&rsquo;t be changed. Create an account of your own to set them up.
        </EmptyState>
      </section>
    </>
  );
}
