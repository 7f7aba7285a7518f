/** Files that differ, as annotations of a pull request (GitHub Actions workflow commands). */
import { posix } from 'node:path';
import { renderGithub } from '../diagnostics/render/github.ts';
import { registry } from '../diagnostics/registry.ts';
import { definedMembers } from '../util/defined-members.ts';
import type { WriteReport } from '../write/index.ts';

const words = {
  written: 'is not what mcpgen would write.',
  edited: 'is generated, and was edited by hand.',
  foreign: 'is in the way: mcpgen did not write it.',
  removed: 'is no longer generated.',
} as const;

/** One line for each file; `dir` is the project's folder, relative to the repository. */
export function annotateFiles(dir: string, report: WriteReport): string {
  const kinds = ['written', 'edited', 'foreign', 'removed'] as const;
  const lines = kinds.flatMap((kind) =>
    report[kind].map((path) => {
      const diff = report.diffs.find((each) => each.path === path)?.diff;
      return renderGithub({
        code: registry['project-stale'].code,
        name: 'project-stale',
        severity: 'error',
        message: `${path} ${words[kind]}`,
        file: posix.join(dir.replaceAll('\\', '/'), path),
        ...definedMembers({ line: diff === undefined ? undefined : firstLine(diff) }),
      });
    }),
  );
  return lines.map((line) => `${line}\n`).join('');
}

/** The number of the first line that differs, in the file on disk. */
function firstLine(diff: string): number {
  const [, line = '1'] = /^@@ -(\d+)/m.exec(diff) ?? [];
  return Math.max(1, Number(line));
}
