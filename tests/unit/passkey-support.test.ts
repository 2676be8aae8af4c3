import { expect, it } from "vitest";
import { findPasskeySupport } from "@/lib/auth/second-factor/relying-party";

const at = (headers: Record<string, string>) => findPasskeySupport(new Headers(headers));

it("a page at a numeric address says where passkeys can be added", () => {
  expect(at({ host: "127.0.0.1:3000" })).toEqual({ at: "http://localhost:3000" });
  expect(at({ host: "localhost:3000" })).toBe("here");
});

it("a page that is asked for after a form is where the form's browser is", () => {
  const host = "127.0.0.1:3000";
  expect(at({ host, origin: "http://localhost:3000" })).toBe("here");
  expect(at({ host, origin: "http://127.0.0.1:3000" })).toEqual({ at: "http://localhost:3000" });
  expect(at({ host: "localhost:3000", origin: "null" })).toBe("here");
});
