/** Everything about one emitted project that is to be published. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { runOrThrow } from '../run.mjs';
import {
  judgeBundle,
  judgeEntry,
  judgePackage,
  judgeRecipe,
  judgeSameness,
  layOutImage,
  pack,
} from './judges.mjs';
import { tryServer } from './try-server.mjs';

/**
 * @param {string} project has `dist/`, and the packages it needs
 * @param {string} folder for what is made of it
 * @param {{ offline?: boolean, schema?: object }} [options] `offline`: nothing may be fetched; `schema`: of server.json
 * @returns {Promise<string[]>} complaints
 */
export async function judgeProject(project, folder, { offline = false, schema } = {}) {
  const packed = await pack(project, path.join(folder, 'packed'));
  const unpacked = path.join(folder, 'unpacked');
  return [
    ...(await judgeSameness(project)),
    ...(schema === undefined ? [] : await judgeEntry(project, schema)),
    ...(await judgePackage(project, packed)),
    ...(await judgeRecipe(project)),
    ...(await judgeImage(project, path.join(folder, 'image'), offline)),
    ...(await judgeBundle(project, unpacked)),
    ...(await tryServer(process.execPath, ['dist/main.js'], unpacked)),
    ...(await judgeInstalled(project, packed.tarball, path.join(folder, 'installed'), offline)),
  ];
}

/** The server as the image has it. */
async function judgeImage(project, folder, offline) {
  await layOutImage(project, folder, offline);
  return tryServer(process.execPath, ['dist/main.js'], folder);
}

/** The tarball in a folder of its own, started by the package's command. */
async function judgeInstalled(project, tarball, folder, offline) {
  const { bin } = JSON.parse(await readFile(path.join(project, 'package.json'), 'utf8'));
  const [command] = Object.keys(bin);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
  const flags = ['--no-audit', '--no-fund', ...(offline ? ['--offline'] : [])];
  await runOrThrow('npm', ['install', ...flags, tarball], { cwd: folder });
  return tryServer('npx', ['--no-install', command], folder);
}
