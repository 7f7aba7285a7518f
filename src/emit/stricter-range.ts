/** Which range of versions goes into the project, where the user's package.json and the code of the runtime each name one. */
import type { SemVer } from 'semver';
import gt from 'semver/functions/gt.js';
import gtr from 'semver/ranges/gtr.js';
import minVersion from 'semver/ranges/min-version.js';
import validRange from 'semver/ranges/valid.js';

/** The range whose least version is the greatest, as the user wrote it; of equals the first. One that is none asks for nothing. */
export function strictestRange(first: string, others: readonly string[]): string {
  return others.reduce((best, range) => (beginsLater(range, best) ? range : best), first);
}

/** Whether a range begins before another, and ends with that one's major version at the latest. What is no range is a tag, or an address. */
export function isOlderRange(range: string, than: string): boolean {
  const least = leastOf(than);
  if (least === null || !beginsLater(than, range)) return false;
  return gtr(least.inc('major'), range);
}

function beginsLater(range: string, than: string): boolean {
  const [least, other] = [leastOf(range), leastOf(than)];
  return least !== null && other !== null && gt(least, other);
}

/** Null for what is no range. */
function leastOf(range: string): SemVer | null {
  return validRange(range) === null ? null : minVersion(range);
}
