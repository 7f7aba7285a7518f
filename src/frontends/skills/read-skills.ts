/** Reads a folder of skills. Everything in a skill is served, so what does not clearly belong there is refused. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { decodeUtf8 } from '../../util/read-file.ts';
import { guessMediaTypeByFileName } from '../../util/http-syntax.ts';
import type { JsonObject } from '../../util/json-schema.ts';
import { isRecord } from '../../../templates/runtime/json-rpc.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { removeInvisible, describeHidden } from '../../model/clean-prose.ts';
import type { CodeOrigin } from '../../model/origin.ts';
import {
  SKILL_LIMITS,
  type SkillEntry,
  type SkillFile,
  type Skills,
  isSkillName,
} from '../../model/skills.ts';
import { isLoadFailure } from '../openapi/load/load-failure.ts';
import { parseYaml } from '../openapi/load/parse-text.ts';
import { type FoundFile, findSkillFiles } from './find-skills.ts';

export interface SkillsFolder {
  absolute: string;
  /** The folder as messages name it. */
  shown: string;
}

/** Reads the skills; undefined if the folder has none that can be served. */
export function readSkills(folder: SkillsFolder, diagnostics: DiagnosticCollector): Skills | undefined {
  const { files, refused } = findSkillFiles(folder.absolute);
  const reader = new SkillReader(folder, diagnostics);
  const roots = files.filter(({ path }) => path.endsWith('/SKILL.md')).map(({ path }) => posix.dirname(path));
  // A folder of another purpose has the name `skills` by chance.
  if (roots.length === 0) return undefined;
  for (const { path, problem } of refused) reader.reportLeftOut(path, problem);
  const isInside = (path: string): boolean => roots.some((root) => path.startsWith(`${root}/`));
  for (const { path } of files)
    if (!isInside(path)) reader.reportLeftOut(path, 'no folder above it has a `SKILL.md`');
  for (const root of roots)
    reader.read(
      root,
      files.filter(({ path }) => path.startsWith(`${root}/`)),
    );
  return reader.toSkills();
}

class SkillReader {
  readonly #folder: SkillsFolder;
  readonly #diagnostics: DiagnosticCollector;
  readonly #entries: SkillEntry[] = [];
  readonly #files = new Map<string, SkillFile>();
  #bytes = 0;

  constructor(folder: SkillsFolder, diagnostics: DiagnosticCollector) {
    this.#folder = folder;
    this.#diagnostics = diagnostics;
  }

  reportLeftOut(path: string, problem: string): void {
    this.#diagnostics.report('skill-left-out', { what: `The file ${this.#printablePath(path)}`, problem });
  }

  read(root: string, files: readonly FoundFile[]): void {
    const fresh = files.filter(({ path }) => !this.#files.has(path));
    const bytes = countBytes(files);
    const read =
      bytes > SKILL_LIMITS.bytes ? 'its files have more than 16 MiB' : this.#readEntry(root, files);
    const entry =
      typeof read === 'string' || this.#bytes + countBytes(fresh) <= SKILL_LIMITS.bytes
        ? read
        : 'all skills together have more than 16 MiB';
    if (typeof entry === 'string') {
      this.#diagnostics.report(
        'skill-left-out',
        { what: `The skill ${root}`, problem: entry },
        { at: this.#makeOrigin(`${root}/SKILL.md`) },
      );
      return;
    }
    for (const { path, absolute } of fresh) this.#files.set(path, this.#readFile(path, absolute));
    this.#bytes += countBytes(fresh);
    this.#entries.push(entry);
  }

  toSkills(): Skills | undefined {
    if (this.#entries.length === 0) return undefined;
    const byUri = (one: SkillFile, other: SkillFile): number => (one.uri < other.uri ? -1 : 1);
    return { entries: this.#entries, files: [...this.#files.values()].sort(byUri) };
  }

  /** Returns the reason why a skill can't be served, if it can't. */
  #readEntry(root: string, files: readonly FoundFile[]): SkillEntry | string {
    if (files.length > SKILL_LIMITS.files) return `it has more than ${SKILL_LIMITS.files} files`;
    const place = files.find(({ path }) => path === `${root}/SKILL.md`);
    const text = place && decodeTextFile(readFileSync(place.absolute));
    if (text === undefined) return '`SKILL.md` is not text in UTF-8';
    const frontmatter = parseFrontmatter(removeInvisible(text));
    if (typeof frontmatter === 'string') return frontmatter;
    const problem = findFrontmatterProblem(frontmatter, posix.basename(root));
    return problem ?? { uri: skillUriOf(`${root}/SKILL.md`), frontmatter };
  }

  #readFile(path: string, absolute: string): SkillFile {
    const bytes = readFileSync(absolute);
    const text = decodeTextFile(bytes);
    const uri = skillUriOf(path);
    const isProse = /\.(?:md|markdown)$/i.test(path);
    const mimeType = isProse
      ? 'text/markdown'
      : (guessMediaTypeByFileName(path) ?? (text === undefined ? 'application/octet-stream' : 'text/plain'));
    if (text === undefined) return { uri, mimeType, blob: bytes.toString('base64') };
    const hidden = describeHidden(text);
    if (hidden !== undefined)
      this.#diagnostics.report('hidden-text', { hidden }, { at: this.#makeOrigin(path) });
    return { uri, mimeType, text: isProse ? removeInvisible(text) : text };
  }

  #makeOrigin(path: string): CodeOrigin {
    return { kind: 'code', file: this.#printablePath(path), line: 1, column: 1 };
  }

  #printablePath(path: string): string {
    return join(this.#folder.shown, path);
  }
}

function decodeTextFile(bytes: Uint8Array): string | undefined {
  // A byte order mark stays, since clients hash what they read. Git may write `\r\n` on Windows.
  return bytes.includes(0) ? undefined : decodeUtf8(bytes)?.replaceAll('\r\n', '\n');
}

function countBytes(files: readonly FoundFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function skillUriOf(path: string): string {
  return `skill://${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** Frontmatter is read up to this length; the rest of the file has the instructions. */
const LONGEST_FRONTMATTER = 64 * 1024;

function parseFrontmatter(text: string): JsonObject | string {
  const yaml = /^---\n([\s\S]*?)\n---[ \t]*(?:\n|$)/.exec(text)?.[1];
  if (yaml === undefined) return '`SKILL.md` does not begin with front matter between two lines `---`';
  if (yaml.length > LONGEST_FRONTMATTER) return 'its front matter has more than 64 KiB';
  const parsed = parseYaml(yaml, 'SKILL.md', 32);
  if (isLoadFailure(parsed)) return `its front matter cannot be read: ${parsed.reason}`;
  if ((parsed.aliases ?? 0) > 0) return 'its front matter has YAML aliases';
  if (!isRecord(parsed.value)) return 'its front matter is no mapping';
  return JSON.parse(JSON.stringify(parsed.value)) as JsonObject;
}

function findFrontmatterProblem(
  { name, description, metadata }: JsonObject,
  folder: string,
): string | undefined {
  if (typeof name !== 'string' || !isSkillName(name))
    return '`name` must be 1 to 64 lower case letters, digits and single hyphens between them';
  if (name !== folder) return `its name is ${name}, but its folder is named ${folder}`;
  if (typeof description !== 'string' || description.trim() === '' || description.length > 1024)
    return '`description` must be a text of 1 to 1,024 characters';
  if (isRecord(metadata) && Object.keys(metadata).some((key) => key.startsWith('io.modelcontextprotocol/')))
    return '`metadata` has keys that MCP reserves, which begin with io.modelcontextprotocol/';
  return undefined;
}
