import { describe, expect, it } from "vitest";
import { csvLine } from "@/lib/domain/csv";

describe("a line of a CSV file", () => {
  it("ends as RFC 4180 says and leaves numbers as they are", () => {
    expect(csvLine([0.62, -3.1, 0, 1234567.891])).toBe("0.62,-3.1,0,1234567.891\r\n");
  });

  it("has an empty cell for what is not known", () => {
    expect(csvLine(["a", null, "b"])).toBe("a,,b\r\n");
  });

  it("quotes separators, line breaks and quotes, and doubles the quotes inside", () => {
    expect(csvLine(['Will "Ante", win?', "two\nlines"])).toBe(
      '"Will ""Ante"", win?","two\nlines"\r\n',
    );
  });

  it.each(["=1+1", "+1", "-1", "@sum(A1)", "\t=1", "\r=1"])(
    "never lets a spreadsheet run the text %j",
    (text) => {
      expect(csvLine([text]).replaceAll('"', "").startsWith("'")).toBe(true);
    },
  );
});
