/** Which range of versions goes into the project, where the user's package.json and the code of the runtime each name one. */

/** The range whose least version is the greatest, as the user wrote it; of equals the first. One that is none asks for nothing. */
export function strictestRange(first: string, others: readonly string[]): string {
  return others.reduce((best, range) => (compare(leastOf(range), leastOf(best)) > 0 ? range : best), first);
}

/** Whether what npm installs of a range, its newest, is surely older than the least version of another. */
export function isOlderRange(range: string, than: string): boolean {
  const alternatives = range.split('||').map((each) => each.trim());
  return alternatives.every((each) => isCapped(each) && compare(boundOf(each), leastOf(than)) < 0);
}

type Version = readonly [major: number, minor: number, patch: number];

const ANY: Version = [0, 0, 0];

/** A range as npm reads it, without its `||`. */
const RANGE = /^(?:(?:(?:[<>]=?|[=^~])\s*)?v?[\dxX*]+(?:\.[\dxX*]+){0,2}(?:-[\w.-]+)?(?:\s+|$)(?:-\s+)?)+$/;

function leastOf(range: string): Version {
  const bounds = range.split('||').map((each) => (RANGE.test(each.trim()) ? boundOf(each.trim()) : ANY));
  return bounds.reduce((least, bound) => (compare(bound, least) < 0 ? bound : least));
}

/** The version that an alternative begins with. `>22` begins with 23. */
function boundOf(alternative: string): Version {
  const [, sign, written = ''] = /(?:^|\s)(>=?|[=^~])?\s*v?(\d+(?:\.\d+)*)/.exec(alternative) ?? [];
  const numbers = written === '' ? [] : written.split('.').map(Number);
  const last = numbers.length - 1;
  const [major = 0, minor = 0, patch = 0] = numbers.map((each, at) =>
    sign === '>' && at === last ? each + 1 : each,
  );
  return [major, minor, patch];
}

/** It ends before some version, by a sign or by being one; a tag (`latest`) and an address are not. */
function isCapped(alternative: string): boolean {
  return RANGE.test(alternative) && (/<|\s-\s/.test(alternative) || /^[=^~v\d]/.test(alternative));
}

function compare(one: Version, other: Version): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}
