/** Proposes edits, applies them if no file has changed since, and takes them back. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { diffSurfaces } from '../../diff/surface-diff.ts';
import { makeSurface } from '../../diff/surface.ts';
import { SURFACE_FILE } from '../../config/options/surface-file.ts';
import type { Diagnostic } from '../../diagnostics/collector.ts';
import { countListed } from '../../derive/listing-cost.ts';
import { omitUndefined } from '../../util/collections.ts';
import { unifiedDiff } from '../../write/diff-lines.ts';
import { Refusal } from '../problem.ts';
import type { Applied, Proposal, ProposeRequest } from '../protocol.ts';
import { findingRows } from '../views/findings-view.ts';
import { countTokens } from '../views/surface-view.ts';
import type { CompiledServer, Workspace } from '../workspace.ts';
import { type DraftedFile, draftEdits } from './draft-edits.ts';
import { hashText, readEditableFile, writeOrRemoveFile } from './files.ts';

interface Kept {
  files: DraftedFile[];
  isBroken: boolean;
}

const REPAIR = 'It waits here until the source compiles again.';

/** Number of proposals that are kept; older ones are forgotten. */
const MOST_KEPT = 100;

export class Proposals {
  readonly #workspace: Workspace;
  readonly #readOnly: boolean;
  readonly #proposed = new Map<string, Kept>();
  readonly #applied = new Map<string, DraftedFile[]>();
  /** The change before, for which the next one waits, so that files change one at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(workspace: Workspace, readOnly: boolean) {
    this.#workspace = workspace;
    this.#readOnly = readOnly;
  }

  async makeProposal({ server, edits }: ProposeRequest): Promise<Proposal> {
    const compiled = await this.#workspace.lastCompiledServer(server);
    if (compiled.stopped !== undefined)
      throw new Refusal(409, 'The source does not compile, so the change cannot be measured.', REPAIR);
    const files = await draftEdits(edits, compiled, this.#workspace.source);
    const drafts = new Map(files.map(({ path, after }) => [path, after]));
    const after = files.length === 0 ? compiled : await this.#workspace.compileWithDrafts(server, drafts);
    const caused = diagnosticsThatAppear(compiled, after);
    const id = randomUUID();
    const { model } = after.report;
    keepNewest(this.#proposed, id, { files, isBroken: model === undefined });
    return {
      id,
      files: files.map(({ name, before, after: text }) => ({
        path: name,
        isNew: before === undefined,
        diff: unifiedDiff(before ?? '', text ?? '', name, name)
          .split('\n')
          .slice(2, -1),
      })),
      ...omitUndefined({ paste: linesToPaste(files, this.#workspace.source.config) }),
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
    return [...this.#applied].map(([id, files]) => ({ id, files: files.map(({ name }) => name) }));
  }

  async applyProposal(id: string): Promise<Applied> {
    this.#throwIfReadOnly();
    return this.#runAfterPrevious(async () => {
      const proposal = this.#proposed.get(id);
      if (proposal === undefined) throw new Refusal(404, 'There is no such proposal.');
      if (proposal.isBroken)
        throw new Refusal(409, 'With these edits nothing could be compiled, so they are not applied.');
      this.#proposed.delete(id);
      const applied = await this.#writeFiles(proposal.files, 'since it was shown');
      keepNewest(this.#applied, applied.id, proposal.files);
      return applied;
    });
  }

  async undoProposal(id: string): Promise<Applied> {
    this.#throwIfReadOnly();
    return this.#runAfterPrevious(async () => {
      const files = this.#applied.get(id);
      if (files === undefined) throw new Refusal(404, 'There is nothing to undo.');
      const undone = await this.#writeFiles(
        files.map((file) => ({ ...file, before: file.after, after: file.before })),
        'since it was written',
      );
      this.#applied.delete(id);
      return undone;
    });
  }

  #throwIfReadOnly(): void {
    if (this.#readOnly) throw new Refusal(403, 'This preview writes nothing (--read-only).');
  }

  async #runAfterPrevious<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #writeFiles(files: DraftedFile[], when: string): Promise<Applied> {
    for (const { path, name, before } of files)
      if (hashText(readEditableFile(path)) !== hashText(before))
        throw new Refusal(409, `${name} has changed ${when}, so nothing was written.`);
    const next = this.#workspace.waitForCompilation();
    const draftedFiles: DraftedFile[] = [];
    try {
      for (const file of orderForWriting(files)) {
        await writeOrRemoveFile(file.path, file.after);
        draftedFiles.push(file);
      }
    } catch (thrown) {
      for (const { path, before } of draftedFiles.toReversed()) await writeOrRemoveFile(path, before);
      throw new Refusal(
        409,
        `The files cannot be written: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      );
    }
    const id = randomUUID();
    if (files.length > 0) await next;
    return { id, files: files.map(({ name }) => name) };
  }
}

/** The surface file names the overlay, so the overlay is written before it, and removed after it. */
function orderForWriting(files: readonly DraftedFile[]): DraftedFile[] {
  const isRemoved = ({ after }: DraftedFile): boolean => after === undefined;
  return [...files.filter((file) => !isRemoved(file)), ...files.filter(isRemoved).toReversed()];
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

/** A configuration in code is never written: these lines say in it what the surface file would. */
function linesToPaste(files: readonly DraftedFile[], config: string | undefined): string | undefined {
  const file = files.find(({ name }) => name === SURFACE_FILE);
  if (file?.after === undefined || config === undefined || !/\.m?[jt]s$/.test(config)) return undefined;
  const [old, now] = [file.before, file.after].map(
    (text) => JSON.parse(text ?? '{}') as Record<string, unknown>,
  );
  const lines = Object.entries(now ?? {})
    .filter(([name, value]) => !isDeepStrictEqual(value, old?.[name]))
    .map(([name, value]) => `${name === 'tools' ? 'toolWords' : name}: ${JSON.stringify(value)},`);
  return lines.length === 0 ? undefined : lines.join('\n');
}
