import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { shorten } from '../emit/one-line.ts';
import { hiddenIn } from '../model/clean-prose.ts';
import type { CodeOrigin } from '../model/origin.ts';
import { publishedOf, type Standing } from './published.ts';

interface Rule {
  /** Continues "which is not". */
  wanted: string;
  /** The effect as a sentence. `''`: other published files have the generated value. */
  effect: string;
  /** An empty text is ignored: `npm init` leaves some. */
  mayBeEmpty?: true;
}

const LEFT_OUT = 'What is published does without it.';

/** Keys whose values other published files repeat. */
const FOLLOWED: Readonly<Record<string, Rule>> = {
  name: { wanted: 'a name that npm takes for a new package', effect: '' },
  version: { wanted: 'a version as `1.4.0`, by Semantic Versioning', effect: '' },
  mcpName: { wanted: 'a name in the MCP registry, as `io.github.<account>/<name>`', effect: '' },
  description: { wanted: 'a text', effect: '', mayBeEmpty: true },
  author: {
    wanted: 'a person, as `Ada <ada@example.com>` or an object with a `name`',
    effect: LEFT_OUT,
    mayBeEmpty: true,
  },
  license: { wanted: 'a text, as `MIT`', effect: LEFT_OUT, mayBeEmpty: true },
  homepage: { wanted: 'an http or https URL', effect: LEFT_OUT, mayBeEmpty: true },
  repository: {
    wanted: 'the https URL of a repository, nor `<owner>/<name>` of one on GitHub',
    effect: LEFT_OUT,
    mayBeEmpty: true,
  },
};

/** Keys that only npm reads. */
const NPM: Readonly<Record<string, Rule & { isRight: (value: unknown) => boolean }>> = {
  scripts: {
    wanted: 'an object of commands',
    effect: 'The project can be neither built nor tested.',
    isRight: isTexts,
  },
  bin: {
    wanted: 'a path or an object of paths',
    effect: 'The package has no command, so `npx` starts nothing.',
    isRight: (value) => typeof value === 'string' || isTexts(value),
  },
  files: {
    wanted: 'a list of paths',
    effect: 'It does not say what is published.',
    isRight: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  },
};

/** Reports unusable values in the project's package.json. `file` is its path in messages. */
export async function reportPackage(
  file: string,
  standing: Standing,
  diagnostics: DiagnosticCollector,
): Promise<void> {
  if (!hasFaults(standing)) return;
  const { locate } = await import('../diagnostics/locate/locate.ts');
  const { manifest, generated, text } = standing;
  const findPlace = (key: string): CodeOrigin => {
    const found = locate({ textOf: () => text }, { kind: 'document', file, pointer: `/${key}` });
    return { kind: 'code', file, line: found?.line ?? 1, column: found?.column ?? 1 };
  };
  for (const [key, { wanted, effect }] of faultyRules(standing)) {
    const instead = `Everything else that is published says ${JSON.stringify(generated[key])}.`;
    const there = shown(manifest[key]);
    const parameters = { file, key, there, wanted, effect: effect === '' ? instead : effect };
    diagnostics.report('package-value-unusable', parameters, { at: findPlace(key) });
  }
  for (const { key, hidden } of hiddenWords(standing))
    diagnostics.report('hidden-text', { hidden }, { at: findPlace(key) });
  if (isModule(standing)) return;
  const there = manifest['type'] === undefined ? '' : shown(manifest['type']);
  diagnostics.report('package-not-module', { file, there }, { at: findPlace('type') });
}

export function hasFaults(standing: Standing | undefined): boolean {
  if (standing === undefined) return false;
  return !isModule(standing) || faultyRules(standing).length > 0 || hiddenWords(standing).length > 0;
}

/** Finds invisible characters in texts that README and manifests repeat. */
function hiddenWords({ manifest }: Standing): { key: string; hidden: string }[] {
  return ['description', 'author'].flatMap((key) => {
    const hidden = hiddenIn(JSON.stringify(manifest[key]) ?? '');
    return hidden === undefined ? [] : [{ key, hidden }];
  });
}

function isModule({ manifest }: Standing): boolean {
  return manifest['type'] === 'module';
}

function faultyRules(standing: Standing): [key: string, rule: Rule][] {
  const { manifest, generated } = standing;
  const taken: ReadonlySet<string> = new Set(Object.keys(publishedOf(standing)));
  const followed = Object.entries(FOLLOWED).filter(
    ([key, { mayBeEmpty = false }]) =>
      manifest[key] !== undefined &&
      manifest[key] !== generated[key] &&
      !taken.has(key) &&
      !(mayBeEmpty && isBlank(manifest[key])),
  );
  const ofNpm = Object.entries(NPM).filter(
    ([key, { isRight }]) => manifest[key] !== undefined && !isRight(manifest[key]),
  );
  return [...followed, ...ofNpm];
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

function isTexts(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((each) => typeof each === 'string');
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return '[…]';
  return isRecord(value) ? '{…}' : shorten(JSON.stringify(value), 60);
}
