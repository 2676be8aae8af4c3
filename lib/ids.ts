import { monotonicFactory } from "ulid";

const nextUlid = monotonicFactory();

export type IdPrefix =
  "usr" | "ord" | "fil" | "trd" | "req" | "auto" | "dep" | "rdm" | "ses" | "aud";

/** A new id such as `ord_01JD…`: sortable by time, unique without coordination. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${nextUlid()}`;
}
