import { FilterSelect } from "@/components/ui/filter-form";

interface Props {
  /** The names of the keys, by id. */
  names: ReadonlyMap<string, string>;
  /** The id of the chosen key, or "" for all. */
  value: string;
}

/** The filter of a list by API key. */
export function KeyFilter({ names, value }: Props) {
  return (
    <FilterSelect
      label="Key"
      name="key"
      all="All keys"
      value={value}
      options={[...names].map(([id, name]) => ({ value: id, label: `${name} (${id})` }))}
    />
  );
}
