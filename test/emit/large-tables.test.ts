/** Tables of an emitted project have 100 rows at most, and say what they leave out. */
import { expect, test } from 'vitest';
import type { ServerModel } from '../../src/model/server-model.ts';
import { petstore } from './models.ts';
import { contentsOf, emit } from './render-project.ts';

function withTools(count: number): ServerModel {
  const [tool] = petstore.tools;
  const [template] = petstore.resourceTemplates;
  if (tool === undefined || template === undefined) throw new Error('The petstore has no items.');
  const tools = Array.from({ length: count }, (_, index) => ({
    ...tool,
    name: `tool_${index}`,
    tags: index < 30 ? ['first | tag'] : index < 250 ? ['second'] : [],
  }));
  const resourceTemplates = Array.from({ length: count }, (_, index) => ({
    ...template,
    uriTemplate: `petstore://things${index}/{id}`,
    name: `template_${index}`,
  }));
  return { ...petstore, tools, resourceTemplates, completions: [] };
}

test('of 300 tools the tables have 100, the count of the others, and the tags with their counts', async () => {
  const model = withTools(300);
  const files = await emit(model);
  const readme = contentsOf(files, 'README.md');
  expect(readme.match(/^\| `tool_/gm)).toHaveLength(100);
  expect(readme).toContain(
    '200 more tools are not shown here: `npx mcpgen inspect .` lists all.\n\n| tag | tools |',
  );
  expect(readme).toContain('| `first \\| tag` | 30 |\n| `second` | 220 |\n');
  const resources = /^Resources: .*$/m.exec(readme)?.[0] ?? '';
  expect(resources.match(/`petstore:\/\//g)).toHaveLength(100);
  const left = model.resources.length + model.resourceTemplates.length - 100;
  expect(resources.endsWith(`, and ${left} more.`)).toBe(true);
  const manifest = JSON.parse(contentsOf(files, 'manifest.json'));
  expect(manifest.tools).toHaveLength(100);
  expect(manifest.tools_generated).toBe(true);
});
