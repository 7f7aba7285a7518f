/** Proposes edits, applies them if the configuration has not changed since, and takes them back. */
import { randomUUID } from 'node:crypto';

import { diffSurfaces } from '../../diff/surface-diff.ts';
import { makeSurface } from '../../diff/surface.ts';
import type { Diagnostic } from '../../diagnostics/collector.ts';
import { countListed } from '../../derive/listing-cost.ts';
import { unifiedDiff } from '../../write/diff-lines.ts';
import { Refusal } from '../problem.ts';
import type { Applied, Proposal, ProposeRequest } from '../protocol.ts';
import { findingRows } from '../views/findings-view.ts';
import { countTokens } from '../views/surface-view.ts';
import type { CompiledServer, Workspace } from '../workspace.ts';
import { type DraftedFile, draftEdits } from './draft-edits.ts';
import { saveFile } from '../../write/index.ts';
import { readEditableFile } from './files.ts';

interface Kept {
  file: DraftedFile | undefined;
  isBroken: boolean;
}

const REPAIR = 'It waits here until the source compiles again.';

/** Number of proposals that are kept; older ones are forgotten. */
const MOST_KEPT = 100;

export class Proposals {
  readonly #workspace: Workspace;
  readonly #proposed = new Map<string, Kept>();
  readonly #applied = new Map<string, DraftedFile>();
  /** The change before, for which the next one waits, so that files change one at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  async makeProposal({ server, edits }: ProposeRequest): Promise<Proposal> {
    const compiled = await this.#workspace.lastCompiledServer(server);
    if (compiled.stopped !== undefined)
      throw new Refusal(409, 'The source does not compile, so the change cannot be measured.', REPAIR);
    const file = await draftEdits(edits, compiled, this.#workspace.source);
    const after = file
      ? await this.#workspace.compileWithDraft(server, { path: file.path, text: file.after })
      : compiled;
    const caused = diagnosticsThatAppear(compiled, after);
    const id = randomUUID();
    const { model } = after.report;
    keepNewest(this.#proposed, id, { file, isBroken: model === undefined });
    const diff = file && (await unifiedDiff(file.before, file.after, file.name, file.name));
    return {
      id,
      files: file ? [{ path: file.name, diff: (diff ?? '').split('\n').slice(2, -1) }] : [],
      after: {
        tools: model === undefined ? 0 : countListed(model),
        tokens: countTokens(model, after.report.cost).listed,
        changes: listChanges(compiled, after),
      },
      problems: findingRows(after, caused),
    };
  }

  /** Lists edits in the order in which they were applied, without those that were undone. */
  get applied(): Applied[] {
    return [...this.#applied].map(([id, { name }]) => ({ id, files: [name] }));
  }

  async applyProposal(id: string): Promise<Applied> {
    return this.#runAfterPrevious(async () => {
      const proposal = this.#proposed.get(id);
      if (proposal === undefined) throw new Refusal(404, 'There is no such proposal.');
      if (proposal.isBroken)
        throw new Refusal(409, 'With these edits nothing could be compiled, so they are not applied.');
      this.#proposed.delete(id);
      const { file } = proposal;
      if (file === undefined) return { id, files: [] };
      await this.#writeFile(file, 'since it was shown');
      keepNewest(this.#applied, id, file);
      return { id, files: [file.name] };
    });
  }

  async undoProposal(id: string): Promise<Applied> {
    return this.#runAfterPrevious(async () => {
      const file = this.#applied.get(id);
      if (file === undefined) throw new Refusal(404, 'There is nothing to undo.');
      await this.#writeFile({ ...file, before: file.after, after: file.before }, 'since it was written');
      this.#applied.delete(id);
      return { id, files: [file.name] };
    });
  }

  async #runAfterPrevious<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #writeFile({ path, name, before, after }: DraftedFile, when: string): Promise<void> {
    if (readEditableFile(path) !== before)
      throw new Refusal(409, `${name} has changed ${when}, so nothing was written.`);
    const next = this.#workspace.waitForCompilation();
    try {
      await saveFile(path, after, { force: true, original: false });
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      throw new Refusal(409, `The file cannot be written: ${reason}`);
    }
    await next;
  }
}

function keepNewest<T>(all: Map<string, T>, id: string, value: T): void {
  all.set(id, value);
  const [oldest] = all.keys();
  if (all.size > MOST_KEPT && oldest !== undefined) all.delete(oldest);
}

function diagnosticsThatAppear(before: CompiledServer, after: CompiledServer): Diagnostic[] {
  const makeDiagnosticKey = ({ code, message }: Diagnostic): string => `${code} ${message}`;
  const knownKeys = new Set(before.report.diagnostics.map(makeDiagnosticKey));
  return after.report.diagnostics.filter((diagnostic) => !knownKeys.has(makeDiagnosticKey(diagnostic)));
}

function listChanges(
  { report: before }: CompiledServer,
  { report: after }: CompiledServer,
): Proposal['after']['changes'] {
  if (before.model === undefined || after.model === undefined || before.model === after.model) return [];
  return diffSurfaces(makeSurface(before.model), makeSurface(after.model)).changes;
}
