import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { z } from "zod";
import { type PageQuery, toSearchParams } from "@/app/_lib/search-params";
import { requireSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import KeyNotFound from "@/app/(dashboard)/keys/[keyId]/not-found";
import { FreezePart } from "@/app/(dashboard)/_limits/freeze-part";
import { ChangeNote } from "@/app/(dashboard)/_limits/change-note";
import { TimeStamp } from "@/components/format/time-stamp";
import { KeyOrders } from "@/components/keys/key-orders";
import {
  KeyMode,
  KeyPrefix,
  KeyState,
  type KeyLineWire,
  LastUse,
} from "@/components/keys/key-state";
import { hasLimits, LimitList } from "@/components/limits/limit-list";
import { buildSettingsHref } from "@/components/shell/settings-sections";
import { RefreshOnAccountChange } from "@/components/system/refresh-on-account-change";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";
import { findKey } from "@/lib/auth/list-keys";
import { describeAccess } from "@/lib/domain/describe-access";
import type { LimitedSubject } from "@/lib/domain/limits";
import { listLimitedSubjects } from "@/lib/limits/list-subjects";
import { listKeyOrders } from "@/lib/orders/list-key-orders";
import { EditedOrderLine } from "@/lib/schemas/dashboard-orders";
import { KeyLine } from "@/lib/schemas/key-views";

export const metadata: Metadata = { title: "API key" };

const NEWEST_ORDERS = 10;

interface Props {
  params: Promise<{ keyId: string }>;
  searchParams: Promise<PageQuery>;
}

/** The home of an API key: what it may do, what it has used, and what it did. */
async function KeyPage({ params, searchParams }: Props) {
  const session = await requireSession();
  const { userId } = session.principal;
  const { keyId } = await params;
  const query = toSearchParams(await searchParams);
  const line = await findKey(userId, keyId);
  if (!line) notFound();
  const { mode } = line;
  const [subjects, orders] = await Promise.all([
    listLimitedSubjects({ userId, mode, keyId }),
    listKeyOrders({ userId, mode }, keyId, NEWEST_ORDERS),
  ]);
  const key = z.encode(KeyLine, line);
  const own = subjects.find(({ scope }) => scope === "key");
  const isWorking = key.state === "active" || key.state === "ending";
  const canTrade = key.scopes.includes("trade");
  return (
    <>
      <RefreshOnAccountChange />
      <PageHeader
        title={key.label}
        description={<Facts line={key} />}
        actions={
          <>
            <ButtonLink href="/keys">All keys</ButtonLink>
            {isWorking && <Actions line={key} />}
          </>
        }
      />
      <div className="flex flex-col gap-4">
        <ChangeNote query={query} what="The key" isFrozen={own?.frozen != null} />
        <Access scopes={key.scopes} own={own} isWorking={isWorking} />
        <div className="grid gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <LimitsCard line={key} subjects={subjects} isWorking={isWorking} />
          {isWorking && (canTrade || own?.frozen) && (
            <div className={`grid ${own?.frozen ? "" : "print:hidden"}`}>
              <Card title="Freeze">
                <FreezePart
                  session={session}
                  subject={`key:${keyId}`}
                  freeze={own?.frozen ?? null}
                  name="this key"
                />
              </Card>
            </div>
          )}
        </div>
        <Card
          isFlush
          title="Newest orders"
          actions={
            <span className="flex gap-2">
              {/* The history has the orders of the account that the session is in. */}
              {mode === session.principal.mode && (
                <ButtonLink size="small" href={`/orders?tab=history&key=${keyId}`}>
                  Closed orders
                </ButtonLink>
              )}
              <ButtonLink size="small" href={`/keys?tab=requests&key=${keyId}`}>
                Requests
              </ButtonLink>
            </span>
          }
        >
          {orders.length === 0 ? (
            <EmptyState>No orders yet. Orders placed with this key appear here.</EmptyState>
          ) : (
            <KeyOrders orders={z.encode(EditedOrderLine.array(), orders)} />
          )}
        </Card>
      </div>
    </>
  );
}

export default withNotFound(KeyPage, KeyNotFound);

function Facts({ line }: { line: KeyLineWire }) {
  const { mode, id, scopes, createdAt, lastUsedAt, isIdle, expiresAt, revokedAt } = line;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <KeyMode mode={mode} />
      <KeyState line={line} />
      <KeyPrefix mode={mode} id={id} />
      <span>Scopes: {scopes.join(", ")}</span>
      <span>
        Created <TimeStamp at={createdAt} />
      </span>
      <LastUse lastUsedAt={lastUsedAt} isIdle={isIdle} isNamed />
      <span>
        {revokedAt !== null ? (
          <>
            Revoked <TimeStamp at={revokedAt} />
          </>
        ) : expiresAt === null ? (
          "Never expires"
        ) : (
          <>
            Expires <TimeStamp at={expiresAt} isRelative={false} />
          </>
        )}
      </span>
    </span>
  );
}

function Actions({ line: { id, state } }: { line: KeyLineWire }) {
  return (
    <>
      <ButtonLink href={`/keys/${id}/rename`}>Rename</ButtonLink>
      {state === "active" && <ButtonLink href={`/keys/${id}/rotate`}>Rotate</ButtonLink>}
      <ButtonLink tone="danger" href={`/keys/${id}/revoke`}>
        Revoke
      </ButtonLink>
    </>
  );
}

interface AccessProps extends Pick<KeyLineWire, "scopes"> {
  own: LimitedSubject | undefined;
  isWorking: boolean;
}

/** A sentence about what the key may do. It warns of a key that can spend any amount. */
function Access({ scopes, own, isWorking }: AccessProps) {
  const { text, isUnlimited } = describeAccess(scopes, own?.limits ?? {});
  if (!isUnlimited || !isWorking) return <p className="text-heading">{text}</p>;
  return <Callout tone="warn" title={text} />;
}

const TITLES = { account: "Limits of the whole account", user: "Limits set by the operator" };

interface LimitsCardProps {
  line: KeyLineWire;
  subjects: readonly LimitedSubject[];
  isWorking: boolean;
}

function LimitsCard({ line, subjects, isWorking }: LimitsCardProps) {
  const canTrade = line.scopes.includes("trade");
  const own = subjects.find((subject) => subject.scope === "key" && hasLimits(subject));
  // Limits of orders say nothing about a key that places none.
  const others = subjects.filter(
    (subject) => canTrade && subject.scope !== "key" && hasLimits(subject),
  );
  return (
    <Card
      title="Limits"
      actions={
        isWorking && (
          <ButtonLink size="small" href={`/keys/${line.id}/limits`}>
            {own ? "Change limits" : "Set limits"}
          </ButtonLink>
        )
      }
    >
      <div className="flex flex-col gap-5">
        {own ? (
          <LimitList subject={own} />
        ) : (
          <p className="text-text-2">
            {canTrade
              ? "You can limit what it buys per order, per day and in total, how many orders it has open, which markets it trades, and which addresses use it."
              : "This key can’t trade, so limits of orders don’t apply. You can limit the addresses that use it."}
          </p>
        )}
        {others.map((subject) => (
          <section key={subject.scope} className="flex flex-col gap-3 border-t border-border pt-4">
            <h3 className="font-[550]">
              {TITLES[subject.scope === "user" ? "user" : "account"]}
              {subject.scope === "account" && (
                <>
                  {" "}
                  <Link href={buildSettingsHref("limits")} prefetch={false} className="link">
                    Change
                  </Link>
                </>
              )}
            </h3>
            <LimitList subject={subject} />
          </section>
        ))}
      </div>
    </Card>
  );
}
