import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findDuplicateName } from "@/lib/api/http/duplicate-names";

describe("findDuplicateName", () => {
  it.each([
    ['{"a":1,"a":2}', "a"],
    ['{"a":1,"\\u0061":2}', "a"],
    ['{"a":{"b":1,"b":2}}', "b"],
    ['[{"a":1},{"a":1,"b":{},"a":1}]', "a"],
    ['{"":1,"":2}', ""],
    ['{"\\"":1,"\\u0022":2}', '"'],
    ['{"__proto__":1,"__proto__":2}', "__proto__"],
    [' { "a" : [ 1 , "a" , "a" ] , "a" : 2 } ', "a"],
  ])("%s repeats %j", (text, name) => expect(findDuplicateName(text)).toBe(name));

  it.each([
    '{"a":"a","b":"a"}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '["a","a"]',
    '{"a":["a","a",{"a":1}],"b":2}',
    '{"a\\\\":1,"a":2}',
    '{"a":"{\\"a\\":1,\\"a\\":2}"}',
    '"a"',
    "null",
    "{}",
  ])("%s repeats none", (text) => expect(findDuplicateName(text)).toBeNull());

  it("finds nothing in what JSON.stringify writes, and what is repeated in it", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(findDuplicateName(text)).toBeNull();
        expect(findDuplicateName(`{"x":${text},"y":1,"x":2}`)).toBe("x");
      }),
    );
  });
});
