import { vi } from "vitest";

/** Runs a command of this process, and returns its exit code and what it wrote. */
export async function captureOutput(run: () => Promise<number>) {
  const output = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      output[name] += String(text);
      return true;
    }),
  );
  try {
    return { code: await run(), ...output };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
