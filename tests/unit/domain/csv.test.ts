import { describe, expect, it } from "vitest";
import { formatCsvLine } from "@/lib/domain/csv";

describe("a line of a CSV file", () => {
  it("ends with CRLF (RFC 4180) and keeps numbers unquoted", () => {
    expect(formatCsvLine([0.62, -3.1, 0, 1234567.891])).toBe("0.62,-3.1,0,1234567.891\r\n");
  });

  it("has an empty cell for null", () => {
    expect(formatCsvLine(["a", null, "b"])).toBe("a,,b\r\n");
  });

  it("quotes separators, line breaks and quotes, and doubles the quotes inside", () => {
    expect(formatCsvLine(['Will "Ante", win?', "two\nlines"])).toBe(
      '"Will ""Ante"", win?","two\nlines"\r\n',
    );
  });

  it.each(["=1+1", "+1", "-1", "@sum(A1)", "\t=1", "\r=1"])(
    "prevents a spreadsheet from running the text %j",
    (text) => {
      expect(formatCsvLine([text]).replaceAll('"', "").startsWith("'")).toBe(true);
    },
  );
});
