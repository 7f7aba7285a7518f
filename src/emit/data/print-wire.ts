/** Prints `test/wire.json`; its layout is described in `print-lines.ts`. */
import type { WireCalls } from '../wire/wire-calls.ts';
import { printList, printMap, printMembers } from './print-lines.ts';

export function printWire({ environment, calls, leftOut }: WireCalls): string {
  return printMembers([
    `"environment": ${JSON.stringify(environment)}`,
    printList(
      'calls',
      calls.map((call) => JSON.stringify(call)),
    ),
    printMap('leftOut', leftOut),
  ]);
}
