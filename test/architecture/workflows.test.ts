// The workflow that publishes a release: all checks first, no other rights, and other people's steps pinned by commit.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { repositoryRoot } from './support/source-files.ts';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

interface Workflow {
  permissions: object;
  on: object;
  jobs: Record<string, { needs?: string; permissions: object; steps: Step[] }>;
}

const folder = join(repositoryRoot, '.github/workflows');
const workflows = readdirSync(folder).map((name) => ({
  name,
  workflow: load(readFileSync(join(folder, name), 'utf8')) as Workflow,
}));
const stepsOf = ({ jobs }: Workflow): Step[] => Object.values(jobs).flatMap(({ steps }) => steps);

test.each(workflows)('$name: steps of others are named by their commits', ({ workflow }) => {
  const used = stepsOf(workflow).flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
  expect(used.length).toBeGreaterThan(0);
  for (const one of used) expect(one).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40}$/);
});

test.each(workflows)('$name: no text of an event is part of a command', ({ workflow }) => {
  for (const { run = '' } of stepsOf(workflow)) expect(run).not.toContain('${{');
});

test('a release is published after everything has run, with its provenance and without a token', () => {
  const workflow = workflows.find(({ name }) => name === 'publish.yml')?.workflow;
  if (workflow === undefined) throw new Error('no workflow publishes');
  expect([workflow.on, workflow.permissions]).toEqual([{ release: { types: ['published'] } }, {}]);
  const { build, publish } = workflow.jobs;
  expect(build?.permissions).toEqual({ contents: 'read' });
  const commands = build?.steps.flatMap(({ run }) => (run === undefined ? [] : [run])) ?? [];
  expect([commands[0], commands.at(-1)]).toEqual(['bash .ci/run', 'npm pack --pack-destination packed']);
  // No code of the repository runs where there is the right to publish.
  expect([publish?.needs, publish?.permissions]).toEqual(['build', { 'id-token': 'write' }]);
  expect(publish?.steps.flatMap(({ run }) => (run === undefined ? [] : [run]))).toEqual([
    'npm publish ./packed/*.tgz --provenance --access public --ignore-scripts',
  ]);
  expect(readFileSync(join(folder, 'publish.yml'), 'utf8')).not.toMatch(/secrets\.|NODE_AUTH_TOKEN/);
});

test('what the page on CI shows names them by the same commits', () => {
  const page = readFileSync(join(repositoryRoot, 'docs/ci.md'), 'utf8');
  const used = [...page.matchAll(/uses: (\S+)/g)].map(([, name]) => name);
  expect(used.length).toBeGreaterThan(0);
  const known = workflows.flatMap(({ workflow }) => stepsOf(workflow).map(({ uses }) => uses));
  for (const one of used) expect(known).toContain(one);
});
