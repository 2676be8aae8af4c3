import { headers } from "next/headers";
import type { ReactNode } from "react";
import { PasskeyPlace } from "@/app/(dashboard)/settings/security/passkey-place";
import { TimeStamp } from "@/components/format/time-stamp";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { APP_ID, type FactorList, listFactors } from "@/lib/auth/second-factor/change-factors";
import { findPasskeySupport } from "@/lib/auth/second-factor/relying-party";
import { MAX_PASSKEYS } from "@/lib/domain/second-factor";
import { env } from "@/lib/env";

const FOLDER = "/settings/security";
/** From this many codes on, the card asks for new ones. */
const FEW_CODES = 3;

/** The second factors of a user: what they protect, which there are, and what is missing. */
export async function SecondFactorCard({ userId }: { userId: string }) {
  const factors = await listFactors(userId);
  const hasFactor = factors.passkeys.length > 0 || factors.appAddedAt !== null;
  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          Second factor <Badge tone={hasFactor ? "up" : "warn"}>{hasFactor ? "On" : "Off"}</Badge>
        </span>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-text-2">
          You confirm with it when you sign in, and before changes that could move money or give
          someone access. A confirmation lasts 5 minutes in one browser.
        </p>
        {!hasFactor && <Missing />}
        <ul className="divide-y divide-border rounded-control border border-border">
          <Passkeys passkeys={factors.passkeys} isFirstFactor={!hasFactor} />
          <App addedAt={factors.appAddedAt} />
          {hasFactor && <RecoveryCodes left={factors.recoveryCodesLeft} />}
        </ul>
      </div>
    </Card>
  );
}

function Missing() {
  return (
    <Callout tone="warn" title="You have no second factor.">
      {env().REQUIRE_SECOND_FACTOR
        ? "The operator of this server requires one. You can sign in and see everything, but none of these changes work until you set one up."
        : "Anyone who knows your password can sign in, and these changes ask for your password only."}
    </Callout>
  );
}

interface PasskeysProps extends Pick<FactorList, "passkeys"> {
  isFirstFactor: boolean;
}

function Passkeys({ passkeys, isFirstFactor }: PasskeysProps) {
  return (
    <>
      {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
        <Row
          key={id}
          title={`Passkey “${name}”`}
          actions={
            <ButtonLink
              href={`${FOLDER}/remove?factor=${encodeURIComponent(id)}`}
              aria-label={`Remove the passkey “${name}”`}
            >
              Remove
            </ButtonLink>
          }
        >
          Added <TimeStamp at={createdAt.toISOString()} />
          {lastUsedAt ? (
            <>
              , last used <TimeStamp at={lastUsedAt.toISOString()} />
            </>
          ) : (
            ", not used yet"
          )}
        </Row>
      ))}
      {passkeys.length < MAX_PASSKEYS && (
        <AddPasskey isFirst={passkeys.length === 0} isFirstFactor={isFirstFactor} />
      )}
    </>
  );
}

async function AddPasskey({
  isFirst,
  isFirstFactor,
}: {
  isFirst: boolean;
  isFirstFactor: boolean;
}) {
  const support = findPasskeySupport(await headers());
  return (
    <Row
      title={isFirst ? "Passkey" : "Another passkey"}
      badge={isFirstFactor && support === "here" && <Badge tone="info">Recommended</Badge>}
      actions={
        support === "here" && (
          <ButtonLink href={`${FOLDER}/passkey`} tone={isFirstFactor ? "primary" : "secondary"}>
            Add a passkey
          </ButtonLink>
        )
      }
    >
      {support === "here" ? (
        isFirst ? (
          "Your fingerprint, face or PIN, with nothing to type."
        ) : (
          "For another device, or in case you lose one."
        )
      ) : (
        <PasskeyPlace support={support} />
      )}
    </Row>
  );
}

function App({ addedAt }: { addedAt: Date | null }) {
  if (addedAt === null) {
    return (
      <Row
        title="Authenticator app"
        actions={<ButtonLink href={`${FOLDER}/app`}>Set up an app</ButtonLink>}
      >
        Not set up. It shows a six-digit code on your phone.
      </Row>
    );
  }
  return (
    <Row
      title="Authenticator app"
      actions={
        <>
          <ButtonLink href={`${FOLDER}/app`}>Replace</ButtonLink>
          <ButtonLink
            href={`${FOLDER}/remove?factor=${APP_ID}`}
            aria-label="Remove the authenticator app"
          >
            Remove
          </ButtonLink>
        </>
      }
    >
      Added <TimeStamp at={addedAt.toISOString()} />
    </Row>
  );
}

function RecoveryCodes({ left }: { left: number }) {
  return (
    <Row
      title={`${left} of 10 recovery codes left`}
      actions={<ButtonLink href={`${FOLDER}/codes`}>New codes</ButtonLink>}
    >
      {left <= FEW_CODES ? (
        <span className="text-warn">
          Create new codes soon. Without one, losing your second factor locks you out.
        </span>
      ) : (
        "Each works once in place of your second factor."
      )}
    </Row>
  );
}

interface RowProps {
  title: string;
  badge?: ReactNode;
  actions: ReactNode;
  children: ReactNode;
}

function Row({ title, badge, actions, children }: RowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-3 py-2.5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-[550] wrap-anywhere">
          {title} {badge}
        </p>
        <p className="text-small text-text-2">{children}</p>
      </div>
      <div className="flex flex-wrap gap-2">{actions}</div>
    </li>
  );
}
