/** Handlers of a project are typed by the names of its tools, and by its features. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { petstore } from './models.ts';
import { emit, placeProject, removeProject } from './render-project.ts';

const tsc = fileURLToPath(new URL('../../node_modules/typescript-7/bin/tsc', import.meta.url));

test('handlers that compare with or call a tool that is not there, or use a missing feature, do not compile', async () => {
  const project = placeProject(await emit(petstore, { features: ['stdio'], publish: [] }));
  onTestFinished(() => removeProject(project));
  const [tool] = petstore.tools;
  const name = tool?.name ?? '';
  writeFileSync(
    join(project, 'src/handlers/index.ts'),
    `import type { Tools } from '../generated/types.ts';
import type { Context, Handlers, OutgoingRequest } from '../runtime/types.ts';
declare module '../runtime/types.ts' {
  interface DeclaredTools { own_tool: object }
}
const slow = new Set<string>(['${name}']);
export function isSlow(request: OutgoingRequest): boolean {
  return slow.has(request.tool ?? '') || request.tool === '${name}' || request.tool === 'own_tool';
}
export async function callAny(name: string, context: Context): Promise<void> {
  await context.call(name);
  await context.call('${name}', {});
  await context.call('own_tool');
}
export const loose: Handlers = { tools: { other: () => 1 } };
export const handlers: Handlers<Tools> = {
  beforeRequest: (request) => {
    if (request.tool === 'gone_1') throw new Error();
  },
  tools: { '${name}': async (_, context) => context.call('gone_2') },
  extraTools: [
    {
      name: 'own',
      inputSchema: { type: 'object' },
      execution: { taskSupport: 'optional' },
      handler: async (_, context) => String(await context.roots()),
    },
  ],
};
`,
  );
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', project, '--noEmit', '--pretty', 'false'], {
    encoding: 'utf8',
  });
  expect(stdout.match(/^\S+index\.ts\(\d+,\d+\): error TS\d+/gm)).toEqual([
    expect.stringMatching(/^.*index\.ts\(18,9\): error TS2367/),
    expect.stringMatching(/^.*index\.ts\(20,\d+\): error TS2345/),
    expect.stringMatching(/^.*index\.ts\(25,\d+\): error TS2353/),
    expect.stringMatching(/^.*index\.ts\(26,\d+\): error TS2339/),
  ]);
  expect(stdout).toContain("Property 'roots' does not exist on type 'Context'");
  expect(stdout).toContain("'execution' does not exist in type 'ExtraTool'");
});
