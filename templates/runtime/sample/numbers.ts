/** Numbers that keep to bounds and `multipleOf`. */
import { isMultiple } from '../schema/keywords/scalars.ts';
import { type Facts, strictest } from './facts.ts';

interface Bounds {
  /** Least and greatest; open ones are judged by `fits`. */
  low: number;
  high: number;
  divisors: number[];
  fits: (value: number) => boolean;
}

/** Whether a number keeps to what the facts say of numbers. */
export function fitsNumber(facts: Facts, value: number): boolean {
  return boundsOf(facts, false).fits(value);
}

/**
 * The `nth` number that fits, counting from 1 where that is allowed, else from the least, else from the greatest.
 * Undefined when none was found.
 */
export function sampleNumber(facts: Facts, integer: boolean, nth: number): number | undefined {
  const bounds = boundsOf(facts, integer);
  return starts(bounds, integer)
    .map((start) => start(nth))
    .find(bounds.fits);
}

function boundsOf(facts: Facts, integer: boolean): Bounds {
  const { max, min } = Math;
  const [least, above] = [strictest(facts, 'minimum', max), strictest(facts, 'exclusiveMinimum', max)];
  const [greatest, below] = [strictest(facts, 'maximum', min), strictest(facts, 'exclusiveMaximum', min)];
  const divisors = facts.parts
    .map(({ multipleOf }) => multipleOf)
    .filter((one): one is number => typeof one === 'number' && one > 0);
  return {
    low: max(least ?? -Infinity, above ?? -Infinity),
    high: min(greatest ?? Infinity, below ?? Infinity),
    divisors,
    fits: (value) =>
      Number.isFinite(value) &&
      (!integer || Number.isInteger(value)) &&
      value >= (least ?? -Infinity) &&
      value <= (greatest ?? Infinity) &&
      value > (above ?? -Infinity) &&
      value < (below ?? Infinity) &&
      divisors.every((divisor) => isMultiple(value, divisor)),
  };
}

/** Ways to count: each gives its `nth` number. */
function starts({ low, high, divisors }: Bounds, integer: boolean): ((nth: number) => number)[] {
  const divisor = commonMultiple(integer ? [...divisors, 1] : divisors);
  const step = divisor ?? 1;
  const from = (start: number, direction: 1 | -1) => (nth: number) => exact(start + direction * nth, step);
  const [bottom, top] = [Math.ceil(low / step), Math.floor(high / step)];
  const between = (nth: number): number => low + ((high - low) * (nth + 1)) / (nth + 2);
  return [
    from(divisor === undefined ? 1 : Math.max(1, Math.ceil(1 / step)), 1),
    from(bottom, 1),
    from(bottom + 1, 1),
    from(top, -1),
    from(top - 1, -1),
    ...(divisor === undefined
      ? [between, (nth: number) => low + nth * 0.5, (nth: number) => high - nth * 0.5]
      : []),
    (nth) => (nth === 0 ? 0 : Number.NaN),
  ];
}

/** A multiple of all of them; undefined when there is none to obey. */
function commonMultiple(divisors: number[]): number | undefined {
  const [first, ...others] = divisors;
  if (first === undefined) return undefined;
  return others.reduce((known, divisor) => {
    for (let factor = 1; factor <= 1_000; factor++) {
      const candidate = exact(factor, known);
      if (isMultiple(candidate, divisor)) return candidate;
    }
    return known;
  }, first);
}

/** A product as decimal arithmetic would give it: 3 × 0.1 is 0.3. */
function exact(count: number, step: number): number {
  const product = count * step;
  return Number.isInteger(product) ? product : Number(product.toPrecision(15));
}
