import { describe, expect, it } from "vitest";
import { gathered } from "@/lib/db/gathered";

/** A load that ends when it is told to. */
function heldBack() {
  const loads: { keys: readonly string[]; end: () => void; fail: (error: Error) => void }[] = [];
  const find = gathered(
    (keys: readonly string[]) =>
      new Promise<string[]>((resolve, reject) => {
        loads.push({ keys, end: () => resolve(keys.map((key) => `${key}!`)), fail: reject });
      }),
  );
  return { loads, find };
}

const untilLoads = async (loads: readonly unknown[], count: number) => {
  await expect.poll(() => loads.length).toBe(count);
};

describe("what is gathered", () => {
  it("is one load for all that is asked for in one turn, and each gets its own", async () => {
    const { loads, find } = heldBack();
    const asked = [find("a"), find("b"), find("a")];
    await untilLoads(loads, 1);
    loads[0]?.end();
    expect(await Promise.all(asked)).toEqual(["a!", "b!", "a!"]);
    expect(loads[0]?.keys).toEqual(["a", "b", "a"]);
  });

  it("waits for the load under way, and never joins one that has begun", async () => {
    const { loads, find } = heldBack();
    const first = find("a");
    await untilLoads(loads, 1);
    const later = [find("b"), find("c")];
    loads[0]?.end();
    expect(await first).toBe("a!");
    await untilLoads(loads, 2);
    loads[1]?.end();
    expect(await Promise.all(later)).toEqual(["b!", "c!"]);
    expect(loads.map(({ keys }) => keys)).toEqual([["a"], ["b", "c"]]);
  });

  it("does not wait for ever: a load that hangs holds up nobody else", async () => {
    const { loads, find } = heldBack();
    const hanging = find("a");
    await untilLoads(loads, 1);
    const next = find("b");
    await untilLoads(loads, 2);
    loads[1]?.end();
    expect(await next).toBe("b!");
    loads[0]?.end();
    expect(await hanging).toBe("a!");
  });

  it("fails for those who asked together, and for nobody after them", async () => {
    const { loads, find } = heldBack();
    const asked = [find("a"), find("b")].map((one) => one.catch((error: unknown) => error));
    await untilLoads(loads, 1);
    loads[0]?.fail(new Error("gone"));
    for (const failed of await Promise.all(asked)) expect(failed).toEqual(new Error("gone"));
    const next = find("c");
    await untilLoads(loads, 2);
    loads[1]?.end();
    expect(await next).toBe("c!");
  });
});
