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

/** The runtime and the user's code each name a range: the project takes the one that begins last. */
export function chooseNodeEngine(app: AppFiles | undefined): string {
  return (app?.engines ?? []).reduce(
    (best, range) => (compareVersions(findLeast(range), findLeast(best)) > 0 ? range : best),
    nodeEngine,
  );
}

/** Chooses the user's range, unless its versions are older than what the runtime is written for. */
export function chooseNodeTypes(app: AppFiles | undefined): string {
  const own = developmentPackages['@types/node'];
  const users = app?.devDependencies['@types/node'];
  if (users === undefined) return own;
  const versions = listVersions(users);
  const isOlder =
    versions.length > 0 &&
    !users.includes('>') &&
    versions.every((version) => compareVersions(version, findLeast(own)) < 0);
  return isOlder ? own : users;
}

/** The versions that a range names, without upper bounds: `^22.5.0 || >=24 <26` names 22.5.0 and 24. */
function listVersions(range: string): string[] {
  return range.match(/(?<!<=?\s*)\b\d+(?:\.\d+)*/g) ?? [];
}

function findLeast(range: string): string {
  return listVersions(range).sort(compareVersions)[0] ?? '0';
}

function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
