import type { Context } from '../runtime/index.ts';
import { ToolError } from '../runtime/index.ts';
import places from './places.json' with { type: 'json' };
import { celsius, Unit } from './lib/units.ts';
import type { Day } from './types.ts';

/** What to expect. */
export interface Forecast {
  /** Name of the city. */
  city: string;
  days: Day[];
}

/**
 * Forecast for a city.
 *
 * @tool get_forecast
 * @title City forecast
 * @readOnly
 * @openWorld false
 * @scope weather:read
 */
export async function forecast(
  /** City name. @minLength 1 */ city: string,
  /** @minimum 1 @maximum 14 */ days = 3,
  context: Context,
): Promise<Forecast> {
  if (!(city in places)) throw new ToolError(`There is no forecast for ${city}.`);
  await context.log('info', city);
  return {
    city,
    days: Array.from({ length: days }, (_, day) => ({
      date: new Date(Date.UTC(2026, 0, day + 1)),
      high: celsius(68),
      unit: Unit.celsius,
    })),
  };
}

/**
 * Warms up, step by step.
 * @tool
 */
export async function* warmUp(steps: number): AsyncGenerator<string, { steps: number }> {
  for (let step = 1; step <= steps; step += 1) yield `step ${step}`;
  return { steps };
}
