/** Checks the origins of credentials against the lock, so that a changed document cannot redirect them. */
import { join } from 'node:path';

import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { quoteShellWord } from '../diagnostics/quoting.ts';
import type { GeneratedFile } from '../emit/generated-file.ts';
import { BINDINGS, readKnownOrigins, lockPath } from '../emit/index.ts';
import { type CredentialOrigins, REQUESTS, isHeadersVariable } from '../model/credential-origins.ts';
import { formatNameList } from '../util/collections.ts';
import { type ExistingProject, type ProjectRun, readFileIfAny } from './existing-project.ts';

export type OriginOptions = Pick<ProjectRun, 'acceptOrigins' | 'command' | 'owner'>;

/** A credential, and one origin that receives it. */
type Place = [origin: string, credential: string];

const MOST = 12;

/** The origins that the project has accepted; `undefined` if there is no project. */
export function readAcceptedOrigins({ root, lock }: ExistingProject): ReturnType<typeof readKnownOrigins> {
  return readKnownOrigins(lock, readFileIfAny(join(root, BINDINGS)));
}

/** Reports each origin that the lock of the project does not name. */
export function checkOrigins(
  now: CredentialOrigins,
  project: ExistingProject,
  options: OriginOptions,
  diagnostics: DiagnosticCollector,
): void {
  const { dir, lock } = project;
  const accepted = readAcceptedOrigins(project);
  if (accepted === undefined) return reportFirstOrigins(now, diagnostics);
  const file = join(dir, lockPath);
  if (accepted.from === 'bindings' && lock !== undefined) diagnostics.report('origins-taken-up', { file });
  const comparison = compareOrigins(accepted.origins, now, options);
  if (comparison.refused.length > 0) {
    const origins = [...new Set(comparison.refused.map(([origin]) => origin))];
    diagnostics.report('origin-not-accepted', {
      file,
      places: formatOriginPairs(comparison.refused),
      origins: JSON.stringify(origins),
      command: printConsentCommand(origins, options),
    });
  }
  if (comparison.added.length > 0)
    diagnostics.report('credential-origins', {
      places: formatOriginPairs(comparison.added),
      known: 'origins',
    });
  const bare = comparison.bare.map(([origin]) => origin);
  if (bare.length > 0)
    diagnostics.report('requests-elsewhere', { file, origins: formatNameList(bare, MOST) });
}

interface Found {
  refused: Place[];
  /** New credentials for known origins. */
  added: Place[];
  /** New origins that get only requests without credentials. */
  bare: Place[];
}

function compareOrigins(before: CredentialOrigins, now: CredentialOrigins, options: OriginOptions): Found {
  const { acceptOrigins = [] } = options;
  const all = new Set(Object.values(before).flat());
  const places = pairOriginsWithCredentials(now);
  const isKnownOrigin = ([origin, credential]: Place): boolean =>
    acceptOrigins.includes(origin) ||
    (Object.hasOwn(before, credential) && before[credential]?.includes(origin)) === true;
  const isNewCredentialAtKnownOrigin = ([origin, credential]: Place): boolean =>
    !Object.hasOwn(before, credential) && all.has(origin);
  const isNewVariable = (credential: string): boolean =>
    isHeadersVariable(credential) && !Object.hasOwn(before, credential);
  const isWithoutCredential = ([, credential]: Place): boolean =>
    credential === REQUESTS || isNewVariable(credential);
  const unknown = places.filter((place) => !isKnownOrigin(place));
  const rest = unknown.filter((place) => !isNewCredentialAtKnownOrigin(place));
  const refused = rest.filter((place) => !isWithoutCredential(place));
  return {
    refused,
    added: unknown.filter((place) => isNewCredentialAtKnownOrigin(place) && isCredential(place)),
    bare: rest.filter(
      (place) =>
        place[1] === REQUESTS &&
        isWithoutCredential(place) &&
        !refused.some(([origin]) => origin === place[0]),
    ),
  };
}

function reportFirstOrigins(now: CredentialOrigins, diagnostics: DiagnosticCollector): void {
  const places = pairOriginsWithCredentials(now).filter(isCredential);
  if (places.length > 0) diagnostics.report('credential-origins', { places: formatOriginPairs(places) });
}

function isCredential([, credential]: Place): boolean {
  return credential !== REQUESTS && !isHeadersVariable(credential);
}

function pairOriginsWithCredentials(sentTo: CredentialOrigins): Place[] {
  return Object.entries(sentTo).flatMap(([credential, origins]) =>
    origins.map((origin): Place => [origin, credential]),
  );
}

function formatOriginPairs(places: readonly Place[]): string {
  const byOrigin = new Map<string, string[]>();
  for (const [origin, credential] of places)
    byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), credential]);
  const lines = [...byOrigin].map(([origin, names]) => {
    const credentialNames = names.filter((name) => !isHeadersVariable(name));
    return `${origin} (${formatNameList(credentialNames.length > 0 ? credentialNames : names, MOST)})`;
  });
  return formatNameList(lines, MOST);
}

/** Prints the command line of the run, with consent; empty if a program started it. */
function printConsentCommand(origins: readonly string[], { command, owner }: OriginOptions): string {
  // Without the settings of this run, the command would make another server.
  const isChanged = owner?.isNew === true || owner?.edits !== undefined;
  const configured = isChanged ? undefined : owner?.command;
  const start = command?.replaceAll(/ --(?:dry-run|check)(?= |$)/g, '') ?? configured;
  if (start === undefined) return '';
  return [start, ...origins.map((origin) => `--accept-origin ${quoteShellWord(origin)}`)].join(' ');
}

const SECRET = /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASS|PWD|KEY|APIKEY|CREDENTIALS?|AUTH)(?:_|$)/i;

/** Shorter values occur in files by chance. */
const SHORTEST = 6;

export function reportSecrets(
  files: readonly GeneratedFile[],
  variables: Readonly<Record<string, string>>,
  diagnostics: DiagnosticCollector,
): void {
  for (const [name, value] of Object.entries(variables)) {
    if (!SECRET.test(name) || value.length < SHORTEST) continue;
    const spellings = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)];
    const filesWithSecret = files.filter(({ contents }) =>
      spellings.some((spelling) => contents.includes(spelling)),
    );
    const paths = filesWithSecret.map(({ path }) => path).filter((path) => !path.startsWith('dist/'));
    if (paths.length > 0) diagnostics.report('secret-written', { name, files: paths.join(', ') });
  }
}
