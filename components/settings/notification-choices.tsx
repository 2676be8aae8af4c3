import {
  addSecurityKinds,
  ALL_KINDS,
  isSecurityKind,
  type NotificationKind,
} from "@/lib/domain/notifications";

const KIND_LABELS: Readonly<Record<NotificationKind, string>> = {
  filled: "Orders that fill, in full or in part",
  approval: "Orders that wait for your approval",
  refused: "Orders rejected, expired or canceled by the exchange",
  resolved: "Markets that resolve, and payouts to claim",
  claim: "Automatic claims that fail",
  frozen: "Trading frozen or thawed",
  wallet: "Session keys that expire",
  webhook: "Webhooks that stop working",
};

interface Props {
  /** Makes the ids of the boxes different from those of another list. */
  prefix: string;
  chosen: readonly NotificationKind[];
}

/** A box for each kind of notification, named by its kind. Those about security are always on. */
export function NotificationChoices({ prefix, chosen }: Props) {
  const on = addSecurityKinds(chosen);
  return ALL_KINDS.map((kind) => (
    <Choice
      key={kind}
      id={`${prefix}-${kind}`}
      name={kind}
      label={KIND_LABELS[kind]}
      isOn={on.includes(kind)}
      isLocked={isSecurityKind(kind)}
    />
  ));
}

interface ChoiceProps {
  id: string;
  name: string;
  label: string;
  isOn: boolean;
  isLocked?: boolean;
}

/** Keyed by its value, because React resets a checkbox to its first default after an action. */
export function Choice({ id, name, label, isOn, isLocked = false }: ChoiceProps) {
  return (
    <label htmlFor={id} className="flex min-h-11 items-center gap-3 lg:min-h-8">
      <input
        key={String(isOn)}
        id={id}
        name={name}
        type="checkbox"
        defaultChecked={isOn}
        disabled={isLocked}
        className="size-5 shrink-0 accent-[var(--ink)] lg:size-4"
      />
      <span>
        {label}
        {isLocked && <span className="text-text-2"> (always on)</span>}
      </span>
    </label>
  );
}
