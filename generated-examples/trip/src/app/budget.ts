import { ToolError } from '../runtime/index.ts';
import { euros } from './money.ts';

/** What a trip may cost. */
export interface Budget {
  /** Of all, in euros. @minimum 0 */
  total: number;
  /** @minimum 1 @maximum 60 */
  nights: number;
  /** Price of the tickets, in euros. @minimum 0 */
  tickets?: number;
}

/**
 * What is left for each night, once the tickets are paid.
 * @tool nightly_budget
 * @readOnly
 */
export function nightlyBudget({ total, nights, tickets = 0 }: Budget): { perNight: number; words: string } {
  const left = total - tickets;
  if (left < 0) throw new ToolError(`The tickets cost ${euros(-left)} more than there is.`);
  const perNight = Math.floor((left / nights) * 100) / 100;
  return { perNight, words: `${euros(perNight)} a night` };
}
