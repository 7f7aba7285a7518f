import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { diff } from '../../api/diff.ts';
import { listingCost } from '../../derive/listing-cost.ts';
import type { DiffSide } from '../../api/options.ts';
import { isDocument } from '../../config/options/sources.ts';
import { lockPath } from '../../emit/index.ts';
import { Refusal } from '../problem.ts';
import type { DiffView } from '../protocol.ts';
import type { PreviewOptions } from '../source.ts';
import type { CompiledServer } from '../workspace.ts';

/** Compares with the generated project, or another document. */
export async function makeDiffView(against: string, compiled: CompiledServer): Promise<DiffView> {
  const { generation, options, report } = compiled;
  const { model } = report;
  if (model === undefined || options === undefined)
    throw new Refusal(409, 'The source has errors, so there is nothing to compare.');
  const before = await chooseOldSide(against, options, model.name);
  const compared = await diff({ before, after: { model }, cwd: options.cwd });
  if (compared.diff === undefined) {
    const [error] = compared.diagnostics.filter(({ severity }) => severity === 'error');
    throw new Refusal(409, `The other side cannot be compared. ${error?.message ?? ''}`, error?.hint);
  }
  const { breaking, compatible, changes, tokens } = compared.diff;
  const now = listingCost(model).tokens;
  return {
    generation,
    against,
    breaking,
    compatible,
    changes,
    tokens: tokens ?? { before: now, after: now },
  };
}

async function chooseOldSide(against: string, options: PreviewOptions, name: string): Promise<DiffSide> {
  if (against === 'lock') return { project: findLockedProject(options, name) };
  const [kind, rest = ''] = against.split(/:(.*)/s);
  if (kind === 'document' && rest !== '' && rest !== '-') return { compile: replaceDocument(options, rest) };
  throw new Refusal(400, '"against" must be lock or document:<path>.');
}

function findLockedProject({ dir, beside = '', cwd }: PreviewOptions, name: string): string {
  const project = dir ?? join(beside, name.split('/').at(-1) ?? name);
  if (existsSync(resolve(cwd, project, lockPath))) return project;
  throw new Refusal(
    404,
    'There is no generated project to compare with yet.',
    'Make one with `mcpgen generate`, or compare with another document.',
  );
}

/** Makes options of the same server from another document. */
function replaceDocument(options: PreviewOptions, source: string): PreviewOptions {
  const { sources, typescript, ...rest } = options;
  const [document, other] = sources ?? [];
  if (typescript !== undefined || other !== undefined || (document !== undefined && !isDocument(document)))
    throw new Refusal(
      400,
      'Only a server of one document is compared with another document. Compare with the lock.',
    );
  if (document === undefined) return { ...rest, source };
  return { ...rest, source, sources: [{ ...document, openapi: source }] };
}
