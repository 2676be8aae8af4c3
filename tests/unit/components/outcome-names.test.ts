import { expect, it } from "vitest";
import { shortenName } from "@/components/markets/outcome-links";

it.each([
  ["Harbour Gulls", "Kestrel United", "Harbour"],
  ["Yes", "No", "Yes"],
  ["Up North", "Down South", "Up North"],
  ["Northern Stars", "Northern Lights", "Northern Stars"],
])("the name %s beside %s is shortened to %s", (name, other, short) => {
  expect(shortenName(name, [{ name }, { name: other }])).toBe(short);
});
