/** Versions of what emitted projects need to be built again; a test keeps them equal to mcpgen's own. */
import type { AppFiles } from '../model/app-files.ts';

export const nodeEngine = '>=20.19';

/** Checks signatures, in projects with OAuth. */
export const signaturePackage = { jose: '^6.2.17' };

/** Reaches Redis, in projects with that feature. */
export const redisPackage = { '@redis/client': '^6.3.1' };

export const developmentPackages = {
  '@types/node': '^20.19.43',
  typescript: '7.0.2',
};

/** Chooses the range of the user's code if it begins later than the runtime's. */
export function chooseNodeEngine(app: AppFiles | undefined): string {
  return strictestRange(nodeEngine, app?.engines ?? []);
}

/** Chooses the user's range, unless its versions are older than what the runtime is written for. */
export function chooseNodeTypes(app: AppFiles | undefined): string {
  const own = developmentPackages['@types/node'];
  const users = app?.devDependencies['@types/node'];
  return users === undefined || isOlderRange(users, own) ? own : users;
}

/** Returns the range with the greatest lowest version, as its author wrote it; of equal ones the first. An unreadable range counts least. */
function strictestRange(first: string, moreRanges: readonly string[]): string {
  return moreRanges.reduce(
    (best, range) => (compareVersions(findLeast(range), findLeast(best)) > 0 ? range : best),
    first,
  );
}

/** Whether what npm installs of a range, its newest, is surely older than the least version of another. */
function isOlderRange(range: string, than: string): boolean {
  const alternatives = range.split('||').map((alternative) => alternative.trim());
  return alternatives.every(
    (alternative) =>
      hasUpperBound(alternative) && compareVersions(findLowerBound(alternative), findLeast(than)) < 0,
  );
}

type Version = readonly [major: number, minor: number, patch: number];

const ANY: Version = [0, 0, 0];

/** Matches a range as npm reads it, without its `||`. */
const RANGE = /^(?:(?:(?:[<>]=?|[=^~])\s*)?v?[\dxX*]+(?:\.[\dxX*]+){0,2}(?:-[\w.-]+)?(?:\s+|$)(?:-\s+)?)+$/;

function findLeast(range: string): Version {
  const bounds = range
    .split('||')
    .map((each) => (RANGE.test(each.trim()) ? findLowerBound(each.trim()) : ANY));
  return bounds.reduce((least, bound) => (compareVersions(bound, least) < 0 ? bound : least));
}

/** Returns the version that an alternative begins with. `>22` begins with 23. */
function findLowerBound(alternative: string): Version {
  const [, sign, written = ''] = /(?:^|\s)(>=?|[=^~])?\s*v?(\d+(?:\.\d+)*)/.exec(alternative) ?? [];
  const numbers = written === '' ? [] : written.split('.').map(Number);
  const last = numbers.length - 1;
  const [major = 0, minor = 0, patch = 0] = numbers.map((number, at) =>
    sign === '>' && at === last ? number + 1 : number,
  );
  return [major, minor, patch];
}

/** Whether the range has an upper end. A tag (`latest`) and an address have none. */
function hasUpperBound(alternative: string): boolean {
  return RANGE.test(alternative) && (/<|\s-\s/.test(alternative) || /^[=^~v\d]/.test(alternative));
}

function compareVersions(one: Version, other: Version): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}
