import type { AppFiles } from '../model/app-files.ts';
import { isOlderRange, strictestRange } from './stricter-range.ts';

/** Versions of what emitted projects need to be built again; a test keeps them equal to mcpgen's own. */
export const nodeEngine = '>=20.19';

/** Checks signatures; of projects with OAuth. */
export const signaturePackage = { jose: '^6.2.17' };

export const developmentPackages = {
  '@types/node': '^20.19.43',
  typescript: '7.0.2',
};

/** What the user's code asks for, where that is more than the runtime does. */
export function nodeEngineOf(app: AppFiles | undefined): string {
  return strictestRange(nodeEngine, app?.engines ?? []);
}

/** The user's range, unless it is of versions that are older than what the runtime is written for. */
export function typesOfNode(app: AppFiles | undefined): string {
  const own = developmentPackages['@types/node'];
  const users = app?.devDependencies['@types/node'];
  return users === undefined || isOlderRange(users, own) ? own : users;
}
