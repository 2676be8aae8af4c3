import { describe, expect, it } from "vitest";
import { checkSignIn, checkSignUp } from "@/lib/domain/credentials";

const PASSWORD = "a longer phrase";
const EMAIL_PROBLEM = {
  field: "email",
  message: "Enter an email address, like name@example.com.",
};

describe("a sign-up", () => {
  it.each(["name@example.com", " Name.Last+tag@mail.example.co.uk ", "o'neill@a-b.org", "x@1.io"])(
    "accepts the address %s",
    (email) => {
      expect(checkSignUp({ email, password: PASSWORD })).toEqual([]);
    },
  );

  it.each([
    "",
    "name",
    "name@ex",
    "@example.com",
    "name@",
    "name@example..com",
    "name@-example.com",
    "na me@example.com",
    "name@exa mple.com",
    "a@b@example.com",
    "näme@example.com",
    `${"n".repeat(65)}@example.com`,
    `n@${"abcdefghi.".repeat(26)}com`,
  ])("refuses the address %j", (email) => {
    expect(checkSignUp({ email, password: PASSWORD })).toEqual([EMAIL_PROBLEM]);
  });

  it("refuses a password that is too short or too long, counting characters", () => {
    const email = "name@example.com";
    const [short, long] = ["Use at least 12 characters.", "Use at most 256 characters."];
    const problem = (message: string) => ({ field: "password", message });
    expect(checkSignUp({ email, password: "" })).toEqual([problem(short)]);
    expect(checkSignUp({ email, password: "🂡".repeat(11) })).toEqual([problem(short)]);
    expect(checkSignUp({ email, password: "🂡".repeat(12) })).toEqual([]);
    expect(checkSignUp({ email, password: "n".repeat(257) })).toEqual([problem(long)]);
  });
});

it("a sign-up without anything names both fields", () => {
  expect(checkSignUp({ email: "", password: "" }).map(({ field }) => field)).toEqual([
    "email",
    "password",
  ]);
});

it("a sign-in needs an email and a password, of any form", () => {
  const listFields = (email: string, password: string) =>
    checkSignIn({ email, password }).map(({ field }) => field);
  expect(listFields(" ", "")).toEqual(["email", "password"]);
  expect(listFields("name", "")).toEqual(["password"]);
  expect(listFields("name", "x")).toEqual([]);
});
