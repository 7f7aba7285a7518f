/** Saves a call as a test of the generated project: its `test/wire.test.js` calls the tool, and compares the request. */
import { existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { lockPath } from '../../emit/index.ts';
import { makeWireCallWithArguments } from '../../emit/wire/wire-calls.ts';
import { isSystemError, saveFile } from '../../write/index.ts';
import { Refusal } from '../problem.ts';
import type { SaveTestRequest } from '../protocol.ts';
import type { CompiledServer } from '../workspace.ts';

const FOLDER = 'test/calls';
const MOST = 1_000;

export async function saveTest(
  { call }: SaveTestRequest,
  { options, report: { model } }: CompiledServer,
): Promise<{ file: string }> {
  if (model === undefined || options === undefined) throw new Refusal(409, 'The source has errors.');
  if (call.kind !== 'tool') throw new Refusal(400, 'Only calls of tools are saved as tests.');
  const { dir, beside = '', cwd } = options;
  const project = resolve(cwd, dir ?? join(beside, model.name.split('/').at(-1) ?? model.name));
  if (!existsSync(join(project, lockPath)))
    throw new Refusal(
      409,
      'There is no generated project whose tests could have it. Run mcpgen generate first.',
    );
  const test = await makeWireCallWithArguments(model, call.name, call.arguments);
  if (typeof test === 'string') throw new Refusal(400, `This call is no test. ${test}`);
  const stem = call.name.replaceAll(/[^\w-]+/g, '_');
  const names = Array.from(
    { length: MOST },
    (_, index) => `${FOLDER}/${stem}${index === 0 ? '' : `-${String(index + 1)}`}.json`,
  );
  const isFree = (name: string): boolean =>
    lstatSync(join(project, name), { throwIfNoEntry: false }) === undefined;
  try {
    for (const folder of [dirname(FOLDER), FOLDER]) makeFolder(project, folder);
    const file = names.find(isFree);
    if (file === undefined) throw new Refusal(409, `${FOLDER} has too many tests of this tool.`);
    await saveFile(join(project, file), `${JSON.stringify(test, undefined, 2)}\n`, {
      force: false,
      within: project,
    });
    return { file };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new Refusal(
      409,
      `${FOLDER} of the project cannot be written (${error.code}).`,
      'Check its permissions, and remove a file or a link that leads nowhere in its place.',
    );
  }
}

/** A repository may have planted a link that leads out of it, so each folder is looked at before the next is made in it. */
function makeFolder(project: string, folder: string): void {
  const path = join(project, folder);
  mkdirSync(path, { recursive: true });
  if (realpathSync(path) !== join(realpathSync(project), folder))
    throw new Refusal(409, `${folder} leads out of the project.`);
}
