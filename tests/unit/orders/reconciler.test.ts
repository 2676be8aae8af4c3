import { describe, expect, it } from "vitest";
import { OutageWatch } from "@/lib/orders/live/reconciler";

function createOutage(answers: boolean[]) {
  const asked: boolean[] = [];
  const outage = new OutageWatch(() => {
    const answer = answers[asked.length] ?? false;
    asked.push(answer);
    return Promise.resolve(answer);
  });
  return { outage, asked };
}

describe("OutageWatch", () => {
  it("reports the end once, with the first response after an outage", async () => {
    const { outage } = createOutage([false, false, true]);
    outage.suspect();
    expect(await outage.hasEnded()).toBe(false);
    expect(await outage.hasEnded()).toBe(false);
    expect(await outage.hasEnded()).toBe(true);
    expect(await outage.hasEnded()).toBe(false);
  });

  it("reports no outage while the venue responds, even if an account fails", async () => {
    const { outage, asked } = createOutage([true, true]);
    outage.suspect();
    expect(await outage.hasEnded()).toBe(false);
    outage.suspect();
    expect(await outage.hasEnded()).toBe(false);
    expect(asked).toHaveLength(2);
  });

  it("does not probe the venue while nothing has failed", async () => {
    const { outage, asked } = createOutage([]);
    expect(await outage.hasEnded()).toBe(false);
    expect(asked).toEqual([]);
  });
});
