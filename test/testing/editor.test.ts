// `mcpgen/runtime` and `mcpgen/testing` as a user's editor and `tsc` read them: beside a package.json, with or without the
// declarations of Node and of browsers. Nothing is skipped: the declarations of the package are checked too.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'mcpgen-editor-')));
afterAll(() => rmSync(home, { recursive: true }));
mkdirSync(join(home, 'node_modules'));
symlinkSync(repositoryRoot, join(home, 'node_modules/mcpgen'));
for (const [folder, type] of Object.entries({ module: 'module', common: 'commonjs' })) {
  mkdirSync(join(home, folder));
  writeFileSync(join(home, folder, 'package.json'), JSON.stringify({ type }));
}

const TOOL = `import { type Context, type FormFields, type Minimum, ToolError } from 'mcpgen/runtime';

const form = { age: { type: 'integer' } } satisfies FormFields;

/** @tool */
export async function ask(least: number & Minimum<0>, context: Context): Promise<string> {
  await context.progress(1, 2);
  if (context.signal.aborted) throw new ToolError('Stopped.');
  const { action, content } = await context.elicit('Age?', form);
  return action === 'accept' && content.age > least ? 'old' : 'young';
}
`;

const TEST = `import { connect, fakeContext } from 'mcpgen/testing';
import { ask } from './tool.ts';

export const run = async (): Promise<unknown> => {
  const context = fakeContext({ elicit: [{ age: 7 }, 'decline'], sample: ['Hi'] });
  await ask(1, context);
  const client = await connect('tool.ts', { elicit: ({ message }) => ({ message }), auth: { scopes: [] } });
  const { structuredContent } = await client.callTool({ name: 'ask', arguments: { least: 1 } });
  // @ts-expect-error: no such answer
  fakeContext({ elicit: ['refuse'] });
  return [context.logged, structuredContent];
};
`;

const FETCHING = `import type { Context } from 'mcpgen/runtime';

export const load = async (context: Context): Promise<Response> => {
  const signal: AbortSignal = context.signal;
  // @ts-expect-error: a signal has a type
  const text: string = context.signal;
  return fetch('https://a.example/' + text, { signal });
};
`;

const OLDER = ts.ModuleKind.Node16;

/** Each kind of program: its libraries, its kind of module, and whether it knows `fetch`. */
const PROGRAMS: Record<string, ts.CompilerOptions> = {
  'a browser': { lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'] },
  Node: { types: ['node'], typeRoots: [join(repositoryRoot, 'node_modules/@types')] },
  // TypeScript before 5.8 reads `nodenext` so too.
  'a CommonJS module': { module: OLDER },
  'a bundler': { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
};

function errorsIn(own: ts.CompilerOptions, program: Record<string, string>): string[] {
  const folder = join(home, own.module === OLDER ? 'common' : 'module');
  const files = Object.keys(program).map((file) => join(folder, file));
  for (const [file, text] of Object.entries(program)) writeFileSync(join(folder, file), text);
  const options = {
    ...{ lib: ['lib.es2023.d.ts'], types: [], module: ts.ModuleKind.NodeNext, ...own },
    ...{ target: ts.ScriptTarget.ES2023, strict: true, exactOptionalPropertyTypes: true },
    ...{ noEmit: true, allowImportingTsExtensions: true },
  };
  const found = ts.createProgram(files, options);
  const checked = found
    .getSourceFiles()
    .filter(({ fileName }) => !/\/node_modules\/(?:@types|typescript|undici-types)/.test(fileName));
  expect(checked.length).toBeGreaterThan(files.length);
  const faults = checked.flatMap((file) => [
    ...found.getSyntacticDiagnostics(file),
    ...found.getSemanticDiagnostics(file),
  ]);
  return [...found.getGlobalDiagnostics(), ...faults].map(({ file, messageText }) =>
    [file?.fileName, ts.flattenDiagnosticMessageText(messageText, ' ')].join(': '),
  );
}

test.each(Object.entries(PROGRAMS))('a function and its test compile for %s', (name, options) => {
  const fetching = ['a browser', 'Node'].includes(name) && { 'load.ts': FETCHING };
  expect(errorsIn(options, { 'tool.ts': TOOL, 'tool.test.ts': TEST, ...fetching })).toEqual([]);
});
