/** Whether credentials go where the project's lock says, so that a changed document can't take them along. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellWord } from '../diagnostics/code-span.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { BINDINGS, knownOrigins, lockPath } from '../emit/index.ts';
import type { ExistingProject, ProjectRun } from './existing-project.ts';
import { type CredentialOrigins, modelOrigins, REQUESTS } from '../model/credential-origins.ts';
import type { ServerModel } from '../model/server-model.ts';

type Options = Pick<
  ProjectRun,
  'acceptOrigins' | 'command' | 'outer' | 'configFile' | 'configText' | 'variables' | 'baseUrl' | 'sources'
>;

/** A credential, and an origin that it is sent to. */
type Place = [origin: string, credential: string];

/** Origins in one message; more are counted. */
const MOST_TOLD = 12;

/** Reports each origin of the model that the lock of the project does not name. */
export function checkOrigins(
  model: ServerModel,
  { dir, root, lock }: ExistingProject,
  options: Options,
  diagnostics: DiagnosticCollector,
): void {
  const known = knownOrigins(lock, textIn(join(root, BINDINGS)));
  const now = modelOrigins(model);
  if (known === undefined) return reportFirst(now, diagnostics);
  const file = join(dir, lockPath);
  if (known.from === 'bindings' && lock !== undefined) diagnostics.report('origins-taken-up', { file });
  const found = compareOrigins(known.origins, now, options);
  if (found.refused.length > 0) {
    const origins = [...new Set(found.refused.map(([origin]) => origin))];
    diagnostics.report('origin-not-accepted', {
      file,
      places: told(found.refused),
      origins: JSON.stringify(origins),
      command: acceptingCommand(origins, dir, options),
    });
  }
  if (found.added.length > 0) diagnostics.report('credential-added', { places: told(found.added) });
  if (found.bare.length > 0)
    diagnostics.report('requests-elsewhere', { file, origins: listed(found.bare.map(([origin]) => origin)) });
}

function textIn(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

interface Found {
  /** Origins that nobody has accepted for the credential. */
  refused: Place[];
  /** New credentials, at origins of others. */
  added: Place[];
  /** New origins of requests without credentials alone. */
  bare: Place[];
}

function compareOrigins(before: CredentialOrigins, now: CredentialOrigins, options: Options): Found {
  const { acceptOrigins = [] } = options;
  const all = new Set(Object.values(before).flat());
  const places = Object.entries(now).flatMap(([credential, origins]) =>
    origins.map((origin): Place => [origin, credential]),
  );
  const isKnown = ([origin, credential]: Place): boolean =>
    acceptOrigins.includes(origin) ||
    (Object.hasOwn(before, credential) && before[credential]?.includes(origin)) === true;
  const isNewAtKnown = ([origin, credential]: Place): boolean =>
    !Object.hasOwn(before, credential) && all.has(origin);
  const isBare = ([origin, credential]: Place): boolean =>
    credential === REQUESTS && !filledOrigins(options).includes(origin);
  const unknown = places.filter((place) => !isKnown(place));
  const rest = unknown.filter((place) => !isNewAtKnown(place));
  const refused = rest.filter((place) => !isBare(place));
  return {
    refused,
    added: unknown.filter((place) => isNewAtKnown(place) && place[1] !== REQUESTS),
    bare: rest.filter((place) => isBare(place) && !refused.some(([origin]) => origin === place[0])),
  };
}

/** A base URL that variables of the environment were filled into may hold a secret anywhere. */
function filledOrigins({ variables = {}, baseUrl, sources = [] }: Options): string[] {
  if (Object.keys(variables).length === 0) return [];
  const urls = [baseUrl, ...sources.map((source) => ('baseUrl' in source ? source.baseUrl : undefined))];
  return urls.flatMap((url) => (url !== undefined && URL.canParse(url) ? [new URL(url).origin] : []));
}

function reportFirst(now: CredentialOrigins, diagnostics: DiagnosticCollector): void {
  const places = Object.entries(now)
    .filter(([credential]) => credential !== REQUESTS)
    .flatMap(([credential, origins]) => origins.map((origin): Place => [origin, credential]));
  if (places.length > 0) diagnostics.report('credential-origins', { places: told(places) });
}

/** `https://api.example.com (API_KEY_SHOP)` */
function told(places: readonly Place[]): string {
  const byOrigin = new Map<string, string[]>();
  for (const [origin, credential] of places)
    byOrigin.set(origin, [
      ...(byOrigin.get(origin) ?? []),
      credential === REQUESTS ? 'the base URL' : credential,
    ]);
  return listed([...byOrigin].map(([origin, credentials]) => `${origin} (${listed(credentials)})`));
}

function listed(words: readonly string[]): string {
  const rest = words.length - MOST_TOLD;
  return rest > 0 ? `${words.slice(0, MOST_TOLD).join(', ')} and ${String(rest)} more` : words.join(', ');
}

/** The command that has started the run with consent; empty where a program has. */
function acceptingCommand(
  origins: readonly string[],
  dir: string,
  { command, outer, configFile, configText }: Options,
): string {
  const isOwn = configFile !== undefined || configText !== undefined;
  const start =
    command?.replaceAll(/ --(?:dry-run|check)(?= |$)/g, '') ??
    outer?.command ??
    (isOwn ? `mcpgen generate ${dir}` : undefined);
  if (start === undefined) return '';
  return [start, ...origins.map((origin) => `--accept-origin ${shellWord(origin)}`)].join(' ');
}
