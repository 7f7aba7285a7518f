/** Compares two servers as their clients see them. */
import { resolve } from 'node:path';
import type { CompileOptions, DiffOptions, DiffSide } from './options.ts';
import { compile } from './compile.ts';
import { type ListingCost, listingCost } from '../derive/listing-cost.ts';
import { type Diagnostic, DiagnosticCollector } from '../diagnostics/collector.ts';
import type { SourceTexts } from '../diagnostics/locate/text-places.ts';
import { readProjectSurface } from '../diff/read-surface.ts';
import { type Surface, makeSurface } from '../diff/surface.ts';
import { omitUndefined } from '../util/collections.ts';
import { diffSurfaces, type Growth, type SurfaceDiff } from '../diff/surface-diff.ts';

export interface Comparison {
  /** False after an error: `diff` is absent then. A difference between the surfaces is no error. */
  ok: boolean;
  diff?: SurfaceDiff;
  diagnostics: readonly Diagnostic[];
  texts: SourceTexts;
}

type Size = Pick<ListingCost, 'tokens'>;

interface Side {
  surface?: Surface;
  /** Choices of a project's lock with which the other side is derived, as `generate` would. */
  locked?: Pick<CompileOptions, 'nameLock' | 'lockedOutputs' | 'lockedSurface'>;
  diagnostics: readonly Diagnostic[];
  texts?: SourceTexts;
}

/**
 * Compares what two servers list: tools, resources, resource templates and prompts. Nothing is written.
 *
 * Where the old side is a project, a compiled new side keeps the tool names and the surface that its `mcpgen.lock` remembers, as
 * `generate` would. Rejects only when `signal` of a compilation is aborted, or for a bug of mcpgen.
 */
export async function diff(options: DiffOptions): Promise<Comparison> {
  const { before, after, cwd = '.' } = options;
  const old = await readDiffSide(before, cwd);
  const now = await readDiffSide(after, cwd, old.locked);
  const common = {
    diagnostics: [...old.diagnostics, ...now.diagnostics],
    texts: { textOf: (file: string) => old.texts?.textOf(file) ?? now.texts?.textOf(file) },
  };
  if (old.surface === undefined || now.surface === undefined) return { ok: false, ...common };
  const difference = diffSurfaces(old.surface, now.surface);
  return { ok: true, diff: { ...difference, ...compareCosts(old.surface, now.surface) }, ...common };
}

function compareCosts(old: Surface, now: Surface): Pick<SurfaceDiff, 'tokens' | 'allTokens'> {
  const [was, is] = [listingCost(old), listingCost(now)];
  const isSearched = was.all !== undefined || is.all !== undefined;
  return omitUndefined({
    tokens: tokenGrowth(was, is),
    allTokens: isSearched ? tokenGrowth(was.all ?? was, is.all ?? is) : undefined,
  });
}

function tokenGrowth({ tokens: before }: Size, { tokens: after }: Size): Growth | undefined {
  return before === after ? undefined : { before, after };
}

async function readDiffSide(side: DiffSide, cwd: string, locked: Side['locked'] = {}): Promise<Side> {
  if ('model' in side) return { surface: makeSurface(side.model), diagnostics: [] };
  if ('project' in side) return readProjectSide(side.project, cwd);
  const { model, diagnostics, texts } = await compile({
    nameLock: {},
    ...locked,
    ...side.compile,
  });
  return { ...omitUndefined({ surface: model && makeSurface(model) }), diagnostics, texts };
}

async function readProjectSide(project: string, cwd: string): Promise<Side> {
  const diagnostics = new DiagnosticCollector();
  const read = await readProjectSurface(resolve(cwd, project), project, diagnostics);
  return { ...read, diagnostics: diagnostics.found };
}
