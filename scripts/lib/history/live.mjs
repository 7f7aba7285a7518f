/** The life of one project: generated, edited, and generated again from the next version of its document. */
import { cpSync } from 'node:fs';
import path from 'node:path';

import { mcpgen } from '../run.mjs';
import { compareLists, judgeDiff, judgeNames } from './judge-diff.mjs';
import { editGenerated, editManifest, edits, useDocument, writeHandlers } from './person.mjs';
import { askServer, differing, Faults, filesOf, settle, ways } from './settle.mjs';

export async function liveThrough({ before, after }, folder, { builds = ways, baseUrl } = {}) {
  const faults = new Faults();
  const [old, now] = [path.basename(before), path.basename(after)];
  cpSync(before, path.join(folder, old));
  cpSync(after, path.join(folder, now));
  const project = path.join(folder, 'project');
  const address = baseUrl === undefined ? [] : ['--base-url', baseUrl];
  const first = await told(['openapi', old, '-o', 'project', ...address], folder);
  if (first.code !== 0) throw new Error(`${old} does not compile.`);
  const fresh = await upgraded(project, `${project}-fresh`, old, now);
  const lists = compareLists((await askServer(project)).tools, (await askServer(fresh)).tools);
  const diff = await judgeDiff({ project, document: now, lists, folder, told }, faults);
  const renamed = await judgeNames({ before: old, after: now, project, folder, told }, faults);

  const overridden = await pickOverridden(project, fresh);
  writeHandlers(project, [overridden, ...lists.lost.slice(0, 1)]);
  faults.equal('generate with new handlers', (await generate(project)).code, 0);
  editManifest(project);
  editGenerated(project);
  useDocument(project, old, now);
  await judgeStop(project, lists.lost.slice(0, 1), faults);
  writeHandlers(project, [overridden]);
  await judgeStop(project, [], faults);

  let tests = 0;
  for (const way of ways) {
    const settled = await settle({ project, fresh, overridden, generate, check }, way, builds.includes(way));
    faults.found.push(...settled.faults);
    tests += settled.tests;
  }
  const { lost, added, changed, same } = lists;
  return {
    faults: faults.found,
    figures: {
      kept: changed.length + same.length,
      lost: lost.length,
      added: added.length,
      changed: changed.length,
      renamed,
      ...diff,
      tests,
    },
  };
}

/** The command with `--json`: its exit code, and what it has printed. */
async function told(args, cwd) {
  const { code, stdout, stderr } = await mcpgen([...args, '--json'], { cwd });
  try {
    return { code, told: JSON.parse(stdout) };
  } catch (error) {
    throw new Error(`mcpgen ${args.join(' ')} printed no JSON:\n${stderr}`, { cause: error });
  }
}

const generate = (project, ...flags) => told(['generate', '.', ...flags], project);
const check = (project) => told(['check', '.'], project);

/** The project of somebody who has edited package.json alone, which says what is published, from the new document. */
async function upgraded(project, copy, old, now) {
  cpSync(project, copy, { recursive: true });
  editManifest(copy);
  useDocument(copy, old, now);
  const { code, told: said } = await generate(copy);
  if (code !== 0) throw new Error(`${now} does not compile: ${JSON.stringify(said.diagnostics.slice(0, 3))}`);
  return copy;
}

/** A tool of both that any text answers. */
async function pickOverridden(project, fresh) {
  const free = async (dir) =>
    (await askServer(dir)).tools.filter(
      ({ inputSchema, outputSchema }) =>
        outputSchema === undefined && (inputSchema.required ?? []).length === 0,
    );
  const there = new Set((await free(fresh)).map(({ name }) => name));
  const found = (await free(project)).find(({ name }) => there.has(name));
  if (found === undefined) throw new Error('No tool of both documents can be called without arguments.');
  return found.name;
}

/** The run ends with 1, names each edited file and each handler without a tool, and changes nothing. */
async function judgeStop(project, orphans, faults) {
  const before = filesOf(project);
  const { code, told: said } = await generate(project);
  faults.equal('exit code of a run with edited files', code, 1);
  const shown = said.result.diffs.map(({ path: file }) => file);
  faults.equal('files that are shown as edited', shown, Object.keys(edits));
  const handlers = said.diagnostics.filter(({ name }) => name === 'handler-without-tool');
  faults.equal('handlers that are reported', handlers.length, orphans.length);
  for (const name of orphans)
    faults.holds(`the handler of ${name} is not reported`, handlers[0]?.message.includes(`\`${name}\``));
  faults.equal('changed by a run that was stopped', differing(before, filesOf(project)), []);
}
