/** Shows edited files: their edits, and the changes that mcpgen would make. */
import { join } from 'node:path';
import type { GeneratedFile } from '../emit/index.ts';
import { type Base, findBase } from './find-base.ts';
import { unifiedDiff } from './lines/unified-diff.ts';
import type { Comparison, EditView, Plan } from './write-target.ts';

export async function viewEdits(
  files: GeneratedFile[],
  { edited }: Pick<Plan, 'edited'>,
  comparison: Comparison,
): Promise<EditView[]> {
  const { root, fs } = comparison;
  const views: EditView[] = [];
  for (const file of files.filter(({ path }) => edited.includes(path))) {
    const base = await findBase(file, comparison);
    views.push(view(file, await fs.readText(join(root, file.path)), base));
  }
  return views;
}

function view({ path, contents }: GeneratedFile, mine: string, base: Base | undefined): EditView {
  const names = {
    generated: `${path} (as it was generated)`,
    mine: `${path} (edited)`,
    now: `${path} (generated now)`,
  };
  if (base === undefined) {
    return { path, base: 'unknown', edits: '', changes: unifiedDiff(mine, contents, names.mine, names.now) };
  }
  const edits = unifiedDiff(base.text, mine, names.generated, names.mine);
  const changes = unifiedDiff(base.text, contents, names.generated, names.now);
  if (typeof base.from === 'string') return { path, base: base.from, edits, changes };
  return { path, base: 'git', commit: base.from.commit, edits, changes };
}
