import { describe, expect, it } from "vitest";
import { EVENT_TEMPLATES } from "@/lib/exchange/catalogue/index";
import { GLYPHS, renderIcon } from "@/lib/exchange/icons";

describe("GLYPHS", () => {
  it("names at least 24 different glyphs", () => {
    expect(GLYPHS.length).toBeGreaterThanOrEqual(24);
    expect(new Set(GLYPHS).size).toBe(GLYPHS.length);
  });
});

describe("renderIcon", () => {
  it.each(GLYPHS)("draws %s as small, well-formed and self-contained markup", (glyph) => {
    const svg = renderIcon(glyph, "seed");

    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 64 64">/);
    expect(unclosedElements(svg)).toEqual([]);
    expect(new TextEncoder().encode(svg).length).toBeLessThan(2048);
    expect(svg).not.toMatch(/<text|<script|<image|<use|href|url\(|\son\w+=|\sid=/i);
    for (const [, data] of svg.matchAll(/ d="([^"]*)"/g)) {
      expect(data).toMatch(/^M[MmLlHhVvCcSsAaZz0-9 .-]+$/);
    }
  });

  it("draws every glyph differently", () => {
    expect(new Set(GLYPHS.map((glyph) => renderIcon(glyph, "seed"))).size).toBe(GLYPHS.length);
  });

  it("gives every event of the catalogue a different icon", () => {
    const icons = EVENT_TEMPLATES.map((event) => renderIcon(event.glyph, event.id));

    expect(new Set(icons).size).toBe(icons.length);
  });

  it("draws the same icon for the same glyph and seed and recolors it for another seed", () => {
    expect(renderIcon("coin", "a")).toBe(renderIcon("coin", "a"));
    expect(renderIcon("coin", "a")).not.toBe(renderIcon("coin", "b"));
  });

  it("falls back to the spark for an unknown glyph, even one named like a built-in member", () => {
    for (const glyph of ["", "unknown", "constructor", "__proto__", "<script>"]) {
      expect(renderIcon(glyph, "seed")).toBe(renderIcon("spark", "seed"));
    }
  });

  it("keeps the text of the seed out of the markup", () => {
    const svg = renderIcon("coin", '"/><script>alert(1)</script>');

    expect(svg).not.toContain("script");
    expect(unclosedElements(svg)).toEqual([]);
  });
});

/** Returns the unclosed tags. Throws on anything but tags with quoted attributes. */
function unclosedElements(svg: string): string[] {
  const open: string[] = [];
  let end = 0;
  for (const tag of svg.matchAll(/<(\/?)(\w+)((?: [\w-]+="[^"<>&]*")*)(\/?)>/g)) {
    if (tag.index !== end) throw new Error(`not a tag at ${end}: ${svg}`);
    end += tag[0].length;
    const name = tag[2] ?? "";
    if (tag[1] === "/" && open.pop() !== name) throw new Error(`unexpected </${name}>: ${svg}`);
    if (tag[1] === "" && tag[4] === "") open.push(name);
  }
  if (end !== svg.length) throw new Error(`not a tag at ${end}: ${svg}`);
  return open;
}
