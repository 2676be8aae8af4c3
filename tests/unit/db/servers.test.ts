import { describe, expect, it } from "vitest";
import { findWritable, listServers } from "@/lib/db/servers";

describe("listServers", () => {
  it("returns the URL of one host unchanged, also with a comma in its password", () => {
    for (const url of ["postgres://u:a,b@h:1/db?x=1,2", "postgres:///db?host=/tmp"]) {
      expect(listServers(url)).toEqual([url]);
    }
  });

  it("gives each host the user, the database and the options", () => {
    expect(
      listServers("postgres://u:p@a,b:5433,[::1]:5434/db?target_session_attrs=read-write"),
    ).toEqual([
      "postgres://u:p@a/db?target_session_attrs=read-write",
      "postgres://u:p@b:5433/db?target_session_attrs=read-write",
      "postgres://u:p@[::1]:5434/db?target_session_attrs=read-write",
    ]);
  });
});

it("findWritable fails with the error of the connection if no server responds", async () => {
  const nowhere = listServers("postgres://u@127.0.0.1:1,127.0.0.1:2/db");
  await expect(findWritable(nowhere)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});
