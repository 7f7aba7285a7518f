// Docs in the declarations of packages, which are parsed when something reads them.
import { expect, test } from 'vitest';
import { compileFiles, toolNamed } from './compile-files.ts';

const FILES = {
  'sub/node_modules/documented/package.json':
    '{ "name": "documented", "version": "1.0.0", "type": "module", "types": "index.d.ts", "exports": "./index.js" }',
  'sub/node_modules/documented/index.js': 'export function find() {}\nexport class Finder {}\n',
  'sub/node_modules/documented/index.d.ts': `import { Base } from './base.js';
/** A place. */ // Docs end before this comment.
export interface Place {
  /** Its name. @minLength 2 */
  name: string;
}
/** Finds a place. */
export declare function find(place: Place): string;
export declare class Finder extends Base {
  near(place: Place): string;
}
`,
  'sub/node_modules/documented/base.d.ts': `export declare class Base {
  /** Finds what is near. */
  near(place: object): string;
}
`,
  'sub/a.ts': `import { Finder, find } from 'documented';
/** @tool */
export const found = find;
const finder = new Finder();
/** @tool */
export const near = finder.near;
`,
};

test('functions and members of a package have the docs that its declarations have', async () => {
  const compiled = await compileFiles(FILES, ['sub/a.ts']);
  const { description, inputSchema } = toolNamed('found', compiled);
  expect(description).toBe('Finds a place.');
  expect(inputSchema.properties).toEqual({
    name: { type: 'string', description: 'Its name.', minLength: 2 },
  });
  expect(toolNamed('near', compiled).description).toBe('Finds what is near.');
});
