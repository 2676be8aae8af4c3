import { describe, expect, it } from "vitest";
import { type Asker, readInTurn, STREAMS } from "@/lib/sandbox/turns";

const from = (address: string, signal = new AbortController().signal): Asker => ({
  address,
  signal,
});
const tokens = (count: number) => Array.from({ length: count }, (_, index) => index);
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Records for whom each item is read. */
function makeReader() {
  const reads: string[] = [];
  const readFor = (name: string) => async (item: number) => {
    reads.push(name);
    await settle();
    return item;
  };
  return { reads, readFor };
}

describe("readInTurn", () => {
  it("reads in the order of the request, one item at a time", async () => {
    let atOnce = 0;
    const read = async (item: number) => {
      atOnce += 1;
      await settle();
      expect(atOnce).toBe(1);
      atOnce -= 1;
      return item * 2;
    };
    const asked = ["a", "a", "b"].map((address) => readInTurn(from(address), [1, 2, 3], read));
    expect(await Promise.all(asked)).toEqual([
      [2, 4, 6],
      [2, 4, 6],
      [2, 4, 6],
    ]);
    expect(await readInTurn(from("a"), [], read)).toEqual([]);
  });

  it("alternates between addresses, so an address does not wait for another one's whole request", async () => {
    const { reads, readFor } = makeReader();
    const flood = tokens(5).map(() => readInTurn(from("flood"), tokens(500), readFor("flood")));
    await readInTurn(from("stranger"), tokens(10), readFor("stranger"));
    expect(reads.filter((name) => name === "flood").length).toBeLessThanOrEqual(12);
    await readInTurn(STREAMS, tokens(10), readFor("streams"));
    expect(reads.filter((name) => name === "flood").length).toBeLessThanOrEqual(24);
    await Promise.all(flood);
  });

  it("returns 429 to an address with too many waiting items, whatever the number of requests", async () => {
    const { readFor } = makeReader();
    const controller = new AbortController();
    const busy = from("busy", controller.signal);
    const waiting = tokens(5).map(() => readInTurn(busy, tokens(500), readFor("busy")));
    waiting.forEach((one) => one.catch(() => undefined));
    expect(() => readInTurn(busy, [1], readFor("busy"))).toThrow(
      expect.objectContaining({ status: 429, message: "Too Many Requests" }),
    );
    expect(await readInTurn(from("other"), [1], readFor("other"))).toEqual([1]);
    controller.abort();
    await expect(Promise.all(waiting)).rejects.toThrow();
  });

  it("drops reads whose client is gone and frees their place in the queue", async () => {
    const { reads, readFor } = makeReader();
    const controller = new AbortController();
    const gone = from("address", controller.signal);
    const dropped = tokens(5).map(() => readInTurn(gone, tokens(500), readFor("gone")));
    const ends = Promise.allSettled(dropped);
    await settle();
    controller.abort();
    const before = reads.length;
    expect(await readInTurn(from("address"), tokens(500), readFor("next"))).toHaveLength(500);
    expect(reads.slice(before).filter((name) => name === "gone")).toEqual([]);
    expect((await ends).map(({ status }) => status)).toEqual(tokens(5).map(() => "rejected"));
    await expect(readInTurn(gone, [1], readFor("gone"))).rejects.toThrow();
  });

  it("fails only the request whose item cannot be read", async () => {
    const { readFor } = makeReader();
    const fail = () => Promise.reject(new Error("no book"));
    const [failed, read] = await Promise.allSettled([
      readInTurn(from("a"), tokens(3), fail),
      readInTurn(from("a"), tokens(3), readFor("a")),
    ]);
    expect([failed.status, read.status]).toEqual(["rejected", "fulfilled"]);
  });
});
