import type { z } from "zod";
import { TimeStamp } from "@/components/format/time-stamp";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import type { KeyLine } from "@/lib/schemas/key-views";

export type KeyLineWire = z.input<typeof KeyLine>;

const STATES: Record<KeyLineWire["state"], { tone: BadgeTone; label: string }> = {
  active: { tone: "up", label: "Active" },
  ending: { tone: "warn", label: "Rotated, expiring" },
  expired: { tone: "neutral", label: "Expired" },
  revoked: { tone: "neutral", label: "Revoked" },
};

type StateProps = Pick<KeyLineWire, "state" | "isLimited" | "isFrozen">;

/** The state of a key, and whether it is frozen or has limits. */
export function KeyState({ line: { state, isLimited, isFrozen } }: { line: StateProps }) {
  const { tone, label } = STATES[state];
  const isWorking = state === "active" || state === "ending";
  return (
    <span className="inline-flex flex-wrap gap-1">
      {/* A frozen key works for reading only, so that "Active" would be wrong. */}
      {isFrozen && state === "active" ? (
        <Badge tone="danger">Frozen</Badge>
      ) : (
        <Badge tone={tone}>{label}</Badge>
      )}
      {isFrozen && state === "ending" && <Badge tone="danger">Frozen</Badge>}
      {isWorking && isLimited && <Badge tone="info">Limited</Badge>}
    </span>
  );
}

/** The mode of a key. */
export function KeyMode({ mode }: Pick<KeyLineWire, "mode">) {
  return mode === "live" ? <Badge tone="info">Live</Badge> : <Badge>Paper</Badge>;
}

/** The public part of a key. */
export function KeyPrefix({ mode, id }: Pick<KeyLineWire, "mode" | "id">) {
  return (
    <code className="font-mono text-caption whitespace-nowrap">
      ante_{mode}_{id}…
    </code>
  );
}

interface LastUseProps extends Pick<KeyLineWire, "lastUsedAt" | "isIdle"> {
  /** Whether it says what the time is of, where no head of a column does. */
  isNamed?: boolean;
}

/** The time of a key's last use, with a warning if it is long ago. */
export function LastUse({ lastUsedAt, isIdle, isNamed = false }: LastUseProps) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      {lastUsedAt === null ? (
        `Never${isNamed ? " used" : ""}`
      ) : (
        <span>
          {isNamed && "Last used "}
          <TimeStamp at={lastUsedAt} />
        </span>
      )}
      {isIdle && <Badge tone="warn">Unused for 90 days</Badge>}
    </span>
  );
}
