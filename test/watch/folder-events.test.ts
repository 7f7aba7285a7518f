// The system may refuse to watch: a limit is reached, or the file system has no events.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DiagnosticError } from '../../src/diagnostics/collector.ts';
import { FolderEvents } from '../../src/watch/folder-events.ts';

vi.mock('node:fs', async (original) => ({
  ...(await original<object>()),
  watch: () => {
    throw Object.assign(new Error('no more'), { code: 'ENOSPC' });
  },
}));

test('a folder that the system does not let be watched is the error cannot-watch', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpgen-watch-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
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
