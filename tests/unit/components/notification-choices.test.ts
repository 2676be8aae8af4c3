import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { NotificationChoices } from "@/components/settings/notification-choices";
import { ALL_KINDS, isSecurityKind } from "@/lib/domain/notifications";

/** Returns the kinds of the boxes that match. */
function list(markup: string, isMeant: (box: string) => boolean): string[] {
  const boxes = markup.match(/<input[^>]*>/g) ?? [];
  return boxes.filter(isMeant).map((box) => /name="(\w+)"/.exec(box)?.[1] ?? "");
}

it("each kind of notification has a box, and those about security are on and can't be switched off", () => {
  const markup = renderToStaticMarkup(
    createElement(NotificationChoices, { prefix: "shown", chosen: ["filled"] }),
  );
  const security = ALL_KINDS.filter(isSecurityKind);
  expect(security.length).toBeGreaterThan(0);
  expect(list(markup, () => true)).toEqual(ALL_KINDS);
  expect(list(markup, (box) => box.includes("checked"))).toEqual(["filled", ...security]);
  expect(list(markup, (box) => box.includes("disabled"))).toEqual(security);
  expect(new Set(markup.match(/id="[^"]+"/g)).size).toBe(ALL_KINDS.length);
});
