// A project, a home folder and a working folder for `install`, `uninstall` and `doctor`.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { INSTALL_CLIENTS, type Machine } from '../../src/install/clients.ts';
import type { InstallClientName, InstallScope } from '../../src/config/options/install-options.ts';
import { configPath } from '../../src/install/change-config.ts';
import type { Host } from '../../src/cli/host.ts';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { type Said, runInProcess } from '../cli/support/fake-host.ts';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';

export interface Desk {
  cwd: string;
  home: string;
  run: (args: string[], changes?: Partial<Host>) => Promise<Said>;
  /** The file of a client. */
  path: (client: InstallClientName, scope?: InstallScope) => string;
  /** `undefined` removes the file. */
  lay: (path: string, text: string | undefined) => void;
  read: (path: string) => string | undefined;
}

let made: Promise<string> | undefined;

/** The compiled petstore, made once and copied. */
async function compiled(): Promise<string> {
  made ??= (async () => {
    const cwd = temporaryFolder();
    const document = join(repositoryRoot, 'fixtures/petstore.yaml');
    const { exitCode, stderr } = await runInProcess(['openapi', document, '-o', 'pets'], { cwd });
    if (exitCode !== 0) throw new Error(stderr);
    return join(cwd, 'pets');
  })();
  return made;
}

/** `pets` in the working folder is a built project. */
export async function makeDesk(): Promise<Desk> {
  const cwd = temporaryFolder();
  const home = join(cwd, 'home');
  cpSync(await compiled(), join(cwd, 'pets'), { recursive: true });
  mkdirSync(home);
  const machine: Machine = { platform: process.platform, home, env: {}, node: process.execPath };
  return {
    cwd,
    home,
    run: async (args, changes = {}) =>
      runInProcess(args, { cwd, ...changes, env: { HOME: home, USERPROFILE: home, ...changes.env } }),
    path: (client, scope = 'user') => configPath(INSTALL_CLIENTS[client], scope, machine, cwd) ?? '',
    lay: (path, text) => {
      mkdirSync(dirname(path), { recursive: true });
      if (text === undefined) rmSync(path, { force: true });
      else writeFileSync(path, text);
    },
    read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
  };
}
