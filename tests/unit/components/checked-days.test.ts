import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { CheckedDays, describeDays } from "@/components/system/checked-days";
import type { CheckedDay } from "@/lib/domain/checked-days";

const makeDay = (day: string, checks: number, failed = 0): CheckedDay => ({ day, checks, failed });
const render = (days: readonly CheckedDay[]) =>
  renderToStaticMarkup(createElement(CheckedDays, { days, at: new Date("2026-11-29T12:00:00Z") }));

it.each<[string, CheckedDay[]]>([
  ["1 periodic check. It balanced.", [makeDay("2026-11-29", 1)]],
  [
    "1,200 periodic checks on 2 days. All balanced.",
    [makeDay("2026-11-27", 1_199), makeDay("2026-11-29", 1)],
  ],
  ["10 periodic checks. 1 found mismatches.", [makeDay("2026-11-29", 10, 1)]],
  [
    "30 periodic checks on 3 days. 3 found mismatches, the last on 28 Nov 2026.",
    [makeDay("2026-11-27", 10, 1), makeDay("2026-11-28", 10, 2), makeDay("2026-11-29", 10)],
  ],
])("the sentence on the checks of the last days is: %s", (text, days) => {
  expect(describeDays(days)).toBe(text);
});

it("each of the last 30 days has a bar that says what its checks found, and a low one without checks", () => {
  const markup = render([makeDay("2026-11-28", 144, 2), makeDay("2026-11-29", 70)]);
  const bars = [
    ...markup.matchAll(/<rect[^>]*height="(\d+)"[^>]*class="([^"]+)"><title>([^<]+)</g),
  ];
  expect(bars).toHaveLength(30);
  expect(bars.slice(-3).map(([, ...bar]) => bar)).toEqual([
    ["4", "fill-control", "27 Nov 2026: No checks."],
    ["24", "fill-danger", "28 Nov 2026: 144 periodic checks. 2 found mismatches."],
    ["24", "fill-up", "29 Nov 2026: 70 periodic checks. All balanced."],
  ]);
  expect(render([])).toBe("");
});
