// Templates of the user on the core: they replace built-in ones of the same name, and a server lists what its tools need.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ServerModel } from '../../src/model/server-model.ts';
import { httpTool, petstore } from './models.ts';
import { contentsOf, emit } from './render-project.ts';

const model: ServerModel = {
  ...petstore,
  tools: [httpTool('one', 'GET', '/one')],
  resources: [],
  resourceTemplates: [],
  prompts: [],
  upstream: { servers: [{ url: 'https://api.test' }], securitySchemes: {} },
};

async function emitWith(templates: Record<string, string>) {
  const path = mkdtempSync(join(tmpdir(), 'mcpgen-templates-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  for (const [name, text] of Object.entries(templates)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  const files = await emit(model, {
    features: ['stdio', 'http', 'audit'],
    publish: [],
    templates: { path, label: 'templates' },
  });
  // On the core.
  contentsOf(files, 'src/runtime/feature.ts');
  return files;
}

const server = (features: string) => `import { handlers } from {{module "./handlers/index"}};
{{#each features}}
import { {{factory}} } from {{module from}};
{{/each}}
import { defineServer } from './runtime/feature.ts';
// {{line title}}
const version: string = '7';
export const server = defineServer({
  info: { name: 'mine', version },
  features: [${features}],
  generated: new URL('../src/generated/', import.meta.url),
  handlers,
});
`;

test('templates of text, of code and of tests replace those of the same name', async () => {
  const files = await emitWith({
    'README.md.hbs': '# Mine: {{markdown title}}\n',
    'src/server.ts.hbs': server('{{#each features}}{{factory}}(),{{/each}}'),
    'test/server.js.hbs': '// {{line header}}, mine\n',
  });
  expect(contentsOf(files, 'README.md')).toMatch(/^# Mine: /);
  expect(contentsOf(files, 'src/server.ts')).toContain('features: [api(), http(), audit()]');
  expect(contentsOf(files, 'src/server.ts')).toContain("const version: string = '7'");
  const built = contentsOf(files, 'dist/server.js');
  expect(built).not.toContain(': string');
  expect(built).toContain('./runtime/feature.js');
  expect(contentsOf(files, 'test/server.js')).toContain(', mine');
});

test('a server that lacks a feature which its tools need does not compile', async () => {
  await expect(emitWith({ 'src/server.ts.hbs': server('http()') })).rejects.toMatchObject({
    diagnostics: [{ message: expect.stringContaining('does not list api()') }],
  });
});

test('the bindings name the features without which a server does not start, and no others', async () => {
  const files = await emitWith({});
  expect(JSON.parse(contentsOf(files, 'src/generated/bindings.json'))).toMatchObject({ requires: ['api'] });
});
