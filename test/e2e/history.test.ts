// The second run: a project is edited, and generated again from the next version of its document. The judge of it is judged too.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { liveThrough } from '../../scripts/lib/history/live.mjs';
import { fixtures } from './support/command.ts';
import { folderForTest } from './support/project.ts';

test('nothing of a person is lost, and what clients lose is named', async () => {
  const versions = {
    before: join(fixtures, 'history/library-1.yaml'),
    after: join(fixtures, 'history/library-2.yaml'),
  };
  const { faults, figures } = await liveThrough(versions, await folderForTest(), { builds: ['--keep'] });
  expect(faults).toEqual([]);
  expect(figures).toEqual({
    kept: 7,
    lost: 1,
    added: 1,
    changed: 4,
    renamed: 1,
    breaking: 4,
    compatible: 7,
    tests: 2 * 10,
  });
}, 600_000);
