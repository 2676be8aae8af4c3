import { beforeEach, expect, it, onTestFinished } from "vitest";
import { setClock } from "@/lib/clock";
import type { AccountRef } from "@/lib/db/queries/mode";
import { findReply, keepReply } from "@/lib/http/kept-replies";
import { type ApiRequest, readRequest } from "@/lib/http/request";
import { Reply } from "@/lib/http/respond";

const STAMP = "1/700/600";
const ADA: AccountRef = { userId: "usr_ada", mode: "paper" };

let path = "";
let paths = 0;
beforeEach(() => {
  path = `/v1/orders/ord_${(paths += 1)}`;
});

const get = (target: string): ApiRequest => readRequest(new Request(`http://ante.test${target}`));
const asked = (target = path, stamp: string | null = STAMP) => ({ request: get(target), stamp });

function keep(target = path, stamp: string | null = STAMP): Reply {
  const reply = new Reply({ status: 200, body: `{"for":"${target}"}` });
  keepReply(ADA, asked(target, stamp), reply);
  return reply;
}

it("an answer is given again to who asked, for the same path and query, at either door", () => {
  const reply = keep(`${path}?limit=2`);
  for (const door of [path, `/api${path}`]) {
    expect(findReply("account", ADA, asked(`${door}?limit=2`))).toBe(reply);
  }
});

it("an answer is another account's never, although both were written in one transaction", () => {
  keep();
  for (const other of [{ userId: "usr_bob" }, { mode: "live" }] as const) {
    expect(findReply("account", { ...ADA, ...other }, asked())).toBeNull();
  }
});

it("an answer is none to another path or query", () => {
  keep(`${path}?limit=2`);
  for (const other of [path, `${path}?limit=3`, `${path}?limit=2&id=x`, `${path}x?limit=2`]) {
    expect(findReply("account", ADA, asked(other))).toBeNull();
  }
});

it("an answer is none any more when anything has moved, nor when nobody can tell", () => {
  keep();
  for (const stamp of ["1/701/600", "2/700/600", null]) {
    expect(findReply("account", ADA, asked(path, stamp))).toBeNull();
  }
  keep(`${path}/unstamped`, null);
  expect(findReply("account", ADA, asked(`${path}/unstamped`, null))).toBeNull();
});

it("an answer grows old: in a second where prices are in it, in a minute anywhere", () => {
  let at = Date.UTC(2026, 10, 22);
  onTestFinished(setClock(() => at));
  const reply = keep();
  at += 999;
  expect(findReply("account and prices", ADA, asked())).toBe(reply);
  at += 1;
  expect(findReply("account and prices", ADA, asked())).toBeNull();
  at += 58_999;
  expect(findReply("order", ADA, asked())).toBe(reply);
  at += 1;
  expect(findReply("order", ADA, asked())).toBeNull();
});

it("when room is short, what was asked for again outlasts what was not", () => {
  const body = "x".repeat(200_000);
  const keepLarge = (target: string) =>
    keepReply(ADA, asked(target), new Reply({ status: 200, body }));
  const isKept = (target: string) => findReply("account", ADA, asked(target)) !== null;
  const large = (index: number) => `${path}/large/${index}`;
  keepLarge(large(0));
  keepLarge(large(1));
  expect(isKept(large(0))).toBe(true);
  // About forty fit: the first two come up, and one of them is spared.
  for (let index = 2; index < 60; index += 1) keepLarge(large(index));
  expect([isKept(large(0)), isKept(large(1))]).toEqual([true, false]);
  for (let index = 60; index < 180; index += 1) keepLarge(large(index));
  expect([isKept(large(2)), isKept(large(179))]).toEqual([false, true]);
});

it("a long answer is kept as bytes, of the same text", () => {
  const body = "é".repeat(5_000);
  keepReply(ADA, asked(), new Reply({ status: 200, body }, { "x-next": "1" }));
  const kept = findReply("account", ADA, asked());
  expect(new TextDecoder().decode(kept?.payload as Uint8Array)).toBe(body);
  expect(kept?.headers).toEqual({ "x-next": "1" });
});
