import { CopyButton } from "@/components/ui/copy-button";

interface Props {
  label: string;
  /** The purpose of the address. */
  purpose: string;
  address: string;
}

const TAIL = 4;

/** A full address, with its end emphasized for comparison. */
export function AddressRow({ label, purpose, address }: Props) {
  const tail = address.slice(-TAIL);
  return (
    <div>
      <dt className="flex min-h-8 items-center gap-1 font-[550]">
        {label}
        <CopyButton text={address} label={`Copy ${label.toLowerCase()} address`} />
      </dt>
      <dd>
        <span className="font-mono text-small break-all">
          {address.slice(0, -TAIL)}
          <strong className="font-bold">{tail}</strong>
        </span>
        <span className="mt-1 block text-small text-text-2">
          {purpose} After pasting, check that it ends in <span className="font-mono">{tail}</span>.
        </span>
      </dd>
    </div>
  );
}
