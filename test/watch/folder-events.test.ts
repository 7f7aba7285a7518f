// The system may refuse to watch: a limit is reached, or the file system has no events.
import fs, { mkdtempSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DiagnosticError } from '../../src/diagnostics/collector.ts';
import { FolderEvents } from '../../src/watch/folder-events.ts';

test('a folder that the system does not let be watched is the error cannot-watch', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpgen-watch-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  noMoreWatchers();
  const events = new FolderEvents(new AbortController().signal);
  const act = (): void => events.watch([join(folder, 'a.yaml')], []);
  expect(act).toThrow(DiagnosticError);
  try {
    act();
  } catch (thrown) {
    const [diagnostic] = (thrown as DiagnosticError).diagnostics;
    expect(diagnostic).toMatchObject({ name: 'cannot-watch', severity: 'error' });
    expect(diagnostic?.message).toContain(`cannot watch the folder ${folder} (ENOSPC)`);
  }
});

/** `node:fs` as the module under test imports it. */
function noMoreWatchers(): void {
  const watch = vi.spyOn(fs, 'watch').mockImplementation(() => {
    throw Object.assign(new Error('no more'), { code: 'ENOSPC' });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    watch.mockRestore();
    syncBuiltinESMExports();
  });
}
