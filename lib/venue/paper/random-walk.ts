import "server-only";
import { hashText, uniform } from "@/lib/venue/paper/noise";

/** Halvings of the unit interval; a year-long market then has steps of four seconds. */
const DEPTH = 23;
const TWO_PI = 2 * Math.PI;

/**
 * A Brownian path W on [0, 1] with W(0) = 0 and W(1) standard normal, as a pure function of a key:
 * Lévy's construction places the middle of each interval around the mean of its ends, so any point
 * costs one walk down the halvings and the whole path none of memory.
 */
export function brownian(key: string, at: number): number {
  const seed = hashText(key);
  let left = 0;
  let right = normal(seed, 0, 0);
  let start = 0;
  let width = 1;
  let index = 0;
  for (let depth = 1; depth <= DEPTH; depth += 1) {
    width /= 2;
    // The middle of an interval of length 2w deviates with variance w/2.
    const middle = (left + right) / 2 + Math.sqrt(width / 2) * normal(seed, depth, index);
    const isRight = at >= start + width;
    index = index * 2 + (isRight ? 1 : 0);
    if (isRight) {
      left = middle;
      start += width;
    } else {
      right = middle;
    }
  }
  return left + ((right - left) * (at - start)) / width;
}

/** The standard normal distribution function (Abramowitz and Stegun 7.1.26, error below 2e-7). */
export function normalProbability(value: number): number {
  const scaled = Math.abs(value) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * scaled);
  const series =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const tail = (series * Math.exp(-scaled * scaled)) / 2;
  return value < 0 ? tail : 1 - tail;
}

const quantiles = new Map<number, number>();

/** The value that a standard normal stays below with a probability in (0, 1); found by bisection. */
export function normalQuantile(probability: number): number {
  const known = quantiles.get(probability);
  if (known !== undefined) return known;
  let low = -8;
  let high = 8;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (normalProbability(middle) < probability) low = middle;
    else high = middle;
  }
  quantiles.set(probability, low);
  return low;
}

/** One standard normal number per place in the construction (Box and Muller). */
function normal(seed: number, depth: number, index: number): number {
  const radius = uniform(seed, depth, index, 0);
  const angle = uniform(seed, depth, index, 1);
  return Math.sqrt(-2 * Math.log(1 - radius)) * Math.cos(TWO_PI * angle);
}
