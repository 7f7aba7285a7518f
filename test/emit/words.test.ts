import { expect, test } from 'vitest';
import { quoteString } from '../../src/emit/print-literals.ts';
import { hostileText, petstore } from './models.ts';
import { contentsOf, emit } from './render-project.ts';

test('a quoted text is a literal of itself', () => {
  for (const text of [hostileText, `'"\\'"`, '\ud800', '</script>']) {
    expect(evaluateLiteral(quoteString(text))).toBe(text);
  }
});

/** Reads a literal back as JSON, which differs in its quotes alone. */
function evaluateLiteral(literal: string): unknown {
  const body = literal.slice(1, -1);
  return JSON.parse(
    literal.startsWith('"') ? literal : `"${body.replace(/\\'|"/g, (part) => (part === '"' ? '\\"' : "'"))}"`,
  );
}

test.each(['package.json', 'server.json', 'manifest.json'])('%s shows no marks of Markdown', async (path) => {
  const contents = contentsOf(await emit({ ...petstore, description: 'Has a **status**.' }), path);
  expect(contents).toContain('"Has a status."');
  expect(contents).not.toContain('**status');
});
