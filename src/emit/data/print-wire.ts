/** Prints `test/wire.json`; its layout is described in `print-lines.ts`. */
import type { WireCalls } from '../wire/wire-calls.ts';
import { printItem, printList, printMap, printMembers } from './print-lines.ts';

export function printWire({ environment, baseUrls, calls, leftOut }: WireCalls): string {
  return printMembers([
    `"environment":${JSON.stringify(environment)}`,
    ...(baseUrls === undefined ? [] : [`"baseUrls":${JSON.stringify(baseUrls)}`]),
    printList(
      'calls',
      calls.map((call) => printItem(call)),
    ),
    printMap('leftOut', leftOut),
  ]);
}
