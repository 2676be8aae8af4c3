import { expect, it } from "vitest";
import { SOURCES } from "@/tests/architecture/source";

/** The calls that show the page of something that doesn't exist. */
const LOSES = /\b(notFound|loadWebhook|showNotFound|refuseShared)\(/;

it("each page of the dashboard that can be missing is rendered on the server, by withNotFound", () => {
  const pages = SOURCES.filter(
    ({ path, text }) => /^app\/\(dashboard\)\/.*\/page\.tsx$/.test(path) && LOSES.test(text),
  );
  expect(pages.length).toBeGreaterThan(10);
  const unwrapped = pages.filter(({ text }) => !text.includes("export default withNotFound("));
  expect(unwrapped.map(({ path }) => path)).toEqual([]);
});
