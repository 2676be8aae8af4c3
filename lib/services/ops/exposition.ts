import "server-only";
import { LATENCY_BOUNDS, type Latency } from "@/lib/services/ops/request-counts";

/** The format that Prometheus reads. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

type Labels = Readonly<Record<string, string>>;

interface Sample {
  labels?: Labels;
  /** Null is not told: nobody has looked yet. */
  value: number | null;
}

export interface Metric {
  name: string;
  help: string;
  type: "counter" | "gauge";
  samples: readonly Sample[];
}

export interface Histogram {
  name: string;
  help: string;
  series: readonly { labels: Labels; latency: Latency }[];
}

/** A counter or gauge as Prometheus reads it. */
export function metricText({ name, help, type, samples }: Metric): string {
  const told = samples.filter(({ value }) => value !== null);
  return block(
    { name, help, type },
    told.map(({ labels = {}, value }) => line(name, labels, value ?? 0)),
  );
}

/** A histogram as Prometheus reads it: each bucket counts all that were within its bound. */
export function histogramText({ name, help, series }: Histogram): string {
  const lines = series.flatMap(({ labels, latency }) => {
    let within = 0;
    const buckets = LATENCY_BOUNDS.map((bound, index) => {
      within += latency.counts[index] ?? 0;
      return line(`${name}_bucket`, { ...labels, le: String(bound) }, within);
    });
    return [
      ...buckets,
      line(`${name}_bucket`, { ...labels, le: "+Inf" }, latency.count),
      line(`${name}_sum`, labels, latency.sum),
      line(`${name}_count`, labels, latency.count),
    ];
  });
  return block({ name, help, type: "histogram" }, lines);
}

function block(
  { name, help, type }: { name: string; help: string; type: string },
  lines: readonly string[],
): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escape(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
}

const escape = (text: string) =>
  text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
