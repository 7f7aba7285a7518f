import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { diff } from '../../api/diff.ts';
import { listingCost } from '../../derive/listing-cost.ts';
import type { DiffSide } from '../../api/options.ts';
import { isUrl } from '../../config/options/make-config.ts';
import { isDocument } from '../../config/options/sources.ts';
import { lockPath } from '../../emit/index.ts';
import { readBytesAtCommit } from '../../write/git.ts';
import { Refusal } from '../problem.ts';
import type { DiffView } from '../protocol.ts';
import type { PreviewOptions } from '../source.ts';
import type { CompiledServer } from '../workspace.ts';

/** Compares with the generated project, a revision of the document in git, or another document. */
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

const STDIN = '-';

async function chooseOldSide(against: string, options: PreviewOptions, name: string): Promise<DiffSide> {
  if (against === 'lock') return { project: findLockedProject(options, name) };
  const [kind, rest = ''] = against.split(/:(.*)/s);
  if (kind === 'document' && rest !== '' && rest !== STDIN)
    return { compile: replaceDocument(options, rest) };
  if (kind === 'git' && rest !== '') {
    const document = requireOneDocument(options);
    const bytes = await readFileAtRevision(rest, resolve(options.cwd, document));
    return { compile: { ...replaceDocument(options, STDIN), stdin: () => Promise.resolve(bytes) } };
  }
  throw new Refusal(400, '"against" must be lock, git:<revision> or document:<path>.');
}

function findLockedProject({ dir, beside = '', cwd }: PreviewOptions, name: string): string {
  const project = dir ?? join(beside, name.split('/').at(-1) ?? name);
  if (existsSync(resolve(cwd, project, lockPath))) return project;
  throw new Refusal(409, 'There is no generated project with a lock to compare with.');
}

/** Makes options of the same server from another document. */
function replaceDocument(options: PreviewOptions, source: string): PreviewOptions {
  const { sources, ...rest } = options;
  requireOneDocument(options);
  const [document] = sources ?? [];
  if (document === undefined || !isDocument(document)) return { ...rest, source };
  if (source !== STDIN) return { ...rest, source, sources: [{ ...document, openapi: source }] };
  // Standard input cannot be an entry of `sources`.
  const settings = Object.fromEntries(Object.entries(document).filter(([name]) => name !== 'openapi'));
  return { ...rest, ...settings, source };
}

function requireOneDocument({ source, sources, typescript }: PreviewOptions): string {
  const [document, other] = sources ?? [];
  if (typescript !== undefined || other !== undefined || (document !== undefined && !isDocument(document)))
    throw new Refusal(
      400,
      'Only a server of one document is compared with another document. Compare with the lock.',
    );
  return document?.openapi ?? source;
}

/** The file at a revision, as it was committed. */
async function readFileAtRevision(revision: string, path: string): Promise<Uint8Array> {
  if (isUrl(path)) throw new Refusal(400, 'A document at a URL has no revisions in git.');
  // The revision must be neither an option nor another object's path.
  if (!/^[\w@^~][\w./@^~{}-]*$/.test(revision)) throw new Refusal(400, 'This is no revision of git.');
  const bytes = await readBytesAtCommit(dirname(path), revision, basename(path));
  if (bytes === undefined) throw new Refusal(409, `git has no ${basename(path)} at ${revision}.`);
  return bytes;
}
