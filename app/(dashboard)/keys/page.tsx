import type { Metadata } from "next";
import { type PageQuery, toSearchParams } from "@/app/_lib/search-params";
import { requireSession } from "@/app/_lib/require-session";
import { KeysTab } from "@/app/(dashboard)/keys/keys-tab";
import { RequestsTab } from "@/app/(dashboard)/keys/requests-tab";
import { ButtonLink } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { Tabs } from "@/components/ui/tabs";

interface Props {
  searchParams: Promise<PageQuery>;
}

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return { title: (await searchParams)["tab"] === "requests" ? "API requests" : "API keys" };
}

export default async function KeysPage({ searchParams }: Props) {
  const { principal } = await requireSession();
  const query = toSearchParams(await searchParams);
  const isLog = query.get("tab") === "requests";
  return (
    <>
      <PageHeader
        title={isLog ? "API requests" : "API keys"}
        description={
          isLog
            ? "What your programs sent, and how it was answered."
            : "Keys let your programs read and trade this account."
        }
        actions={
          <>
            <ButtonLink href="/docs">API reference</ButtonLink>
            <ButtonLink tone="primary" href="/keys/new">
              Create key
            </ButtonLink>
          </>
        }
      />
      <div className="mb-3">
        <Tabs
          label="API keys"
          items={[
            { href: "/keys", label: "Keys", isCurrent: !isLog },
            { href: "/keys?tab=requests", label: "Requests", isCurrent: isLog },
          ]}
        />
      </div>
      {isLog ? (
        <RequestsTab principal={principal} query={query} />
      ) : (
        <KeysTab principal={principal} query={query} />
      )}
    </>
  );
}
