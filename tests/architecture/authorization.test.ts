import { describe, expect, it } from "vitest";
import { needsSession } from "@/lib/http/page-security";
import { ROUTES } from "@/lib/http/routes";
import { PRODUCT } from "@/tests/architecture/source";
import {
  ACTIONS,
  callsOf,
  ENDPOINTS,
  foundActions,
  foundEndpoints,
  foundPages,
  PAGES,
} from "@/tests/support/authorization";

const sorted = (names: Iterable<string>) => [...names].toSorted();
const exampleOf = (url: string) => url.replaceAll(/\[[^\]]+\]/g, "x");

describe("the table of who may ask what", () => {
  it("has exactly the endpoints that the files have", () => {
    expect(sorted(Object.values(ENDPOINTS).flat())).toEqual(sorted(foundEndpoints()));
  });

  it("has exactly the pages that the files have", () => {
    expect(sorted(Object.keys(PAGES))).toEqual(sorted(foundPages().map(({ url }) => url)));
  });

  it("has exactly the server actions that the files have, each of another name", () => {
    expect(sorted(Object.keys(ACTIONS))).toEqual(sorted(foundActions().map(({ name }) => name)));
  });

  it("opens to keys exactly what the table of routes does", () => {
    const guarded = Object.values(ROUTES)
      .filter(({ access }) => access !== "open")
      .map(({ method, path }) => `${method} /api${path.replaceAll(/\{(\w+)\}/g, "[$1]")}`);
    const isAnId = /^DELETE .*\/(open|preview)$|^GET .*\/preview$/;
    const own = ENDPOINTS.key.filter((endpoint) => !isAnId.test(endpoint));
    expect(sorted(own)).toEqual(sorted(guarded));
  });
});

describe("the paths of the interface", () => {
  const files = PRODUCT.filter(({ path }) => /^app\/api\/(v1\/.*|health\/)route\.ts$/.test(path));
  const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

  it.each(files)(
    "$path answers every method, those that it does not have with a refusal",
    (file) => {
      const exported = /export (?:const )?(?:\{ ([A-Z, ]+) \}|([A-Z]+) =)/g;
      const names = [...file.text.matchAll(exported)].flatMap(([, list, name]) =>
        (list ?? name ?? "").split(", "),
      );
      expect(sorted(names)).toEqual(sorted(METHODS));
      expect(file.text).toContain("} = refused;");
    },
  );
});

describe("pages", () => {
  const guarded = foundPages().filter(({ url }) => PAGES[url] === "session");

  it.each(guarded)("$url asks for the session before anything else", ({ body }) => {
    expect(body && callsOf(body)[0]).toBe("requireSession");
  });

  it("are told by the proxy to need a session exactly when they do", () => {
    for (const { url } of foundPages()) {
      expect(needsSession(exampleOf(url)), url).toBe(PAGES[url] === "session");
    }
  });
});

describe("server actions", () => {
  const guarded = foundActions().filter(({ name }) => ACTIONS[name] === "session");

  it.each(guarded)("$name asks for the session before anything else", ({ body }) => {
    expect(callsOf(body)[0]).toBe("requireSession");
  });

  it("are nowhere but in files of their own, which begin by saying so", () => {
    const hidden = PRODUCT.filter(
      ({ text }) => /["']use server["']/.test(text) && !text.startsWith('"use server";'),
    );
    expect(hidden.map(({ path }) => path)).toEqual([]);
  });
});
