import { describe, expect, it } from "vitest";
import { AppError } from "@/lib/errors";
import { checkWebhookUrl, isPublicAddress } from "@/lib/webhooks/check-address";
import { FORBIDDEN_ADDRESSES, FORBIDDEN_HOSTS } from "@/tests/support/webhooks/forbidden-hosts";

function findRefusal(url: string, allowsPrivate = false): string | null {
  try {
    checkWebhookUrl(url, allowsPrivate);
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === "VALIDATION_ERROR") return error.message;
    throw error;
  }
}

describe("the address of an endpoint", () => {
  it("is checked with at least 60 forbidden spellings", () => {
    expect(new Set(FORBIDDEN_HOSTS).size).toBeGreaterThanOrEqual(60);
    expect(new Set(FORBIDDEN_ADDRESSES).size).toBeGreaterThanOrEqual(40);
  });

  it.each(FORBIDDEN_HOSTS)("is refused if its host is %s", (host) => {
    expect(findRefusal(`https://${host}/hooks`)).toMatch(/^url: /);
    expect(findRefusal(`https://${host}:8443/hooks?a=1`)).toMatch(/^url: /);
  });

  it.each([
    "http://example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "javascript:alert(1)",
    "//example.com",
    "example.com",
    "",
    "https://",
    "https://user@example.com/",
    "https://user:secret@example.com/",
    "https://example.com/#part",
    `https://example.com/${"x".repeat(2_048)}`,
  ])("is refused if it is %s", (url) => {
    expect(findRefusal(url)).toMatch(/^url: /);
  });

  it.each([
    "https://hooks.my-shop.com/ante?secret=1",
    "https://hooks.my-shop.com:8443/",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]/",
    "https://bücher.de/",
  ])("is accepted if it is %s", (url) => {
    expect(findRefusal(url)).toBeNull();
  });

  it("may be http and private for development, but not of another kind", () => {
    expect(findRefusal("http://127.0.0.1:4000/hooks", true)).toBeNull();
    expect(findRefusal("https://localhost/", true)).toBeNull();
    expect(findRefusal("ftp://127.0.0.1/", true)).toMatch(/^url: /);
    expect(findRefusal("http://user@127.0.0.1/", true)).toMatch(/^url: /);
  });
});

it.each(FORBIDDEN_ADDRESSES)("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
