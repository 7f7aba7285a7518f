import { expect, test } from 'vitest';
import { listParentFolders } from '../../src/write/find-obstacle.ts';

test.each([
  { paths: [], folders: [] },
  { paths: ['a.ts', 'b.ts'], folders: [] },
  { paths: ['a/b/c.ts'], folders: ['a', 'a/b'] },
  { paths: ['a/b/c.ts', 'a/d.ts', 'e/f.ts', 'a/b/g.ts'], folders: ['a', 'a/b', 'e'] },
  { paths: ['a/constructor/__proto__/x.ts'], folders: ['a', 'a/constructor', 'a/constructor/__proto__'] },
])('$paths stand in $folders', ({ paths, folders }) => {
  expect(listParentFolders(paths)).toEqual(folders);
});
