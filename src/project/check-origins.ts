/** Checks the origins of credentials against the lock, so that a changed document cannot redirect them. */
import { join } from 'node:path';

import { readFileIfAny } from '../util/read-file.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { quoteShellWord } from '../diagnostics/quoting.ts';
import type { GeneratedFile } from '../emit/generated-file.ts';
import { BINDINGS, readKnownOrigins, lockPath } from '../emit/index.ts';
import { type CredentialOrigins, REQUESTS, isHeadersVariable } from '../model/credential-origins.ts';
import { formatNameList } from '../util/collections.ts';
import { type ExistingProject, type ProjectRun } from './existing-project.ts';

export type OriginOptions = Pick<ProjectRun, 'acceptOrigins' | 'command' | 'owner'>;

/** A credential, and one origin that receives it. */
type Place = [origin: string, credential: string];

const MOST = 12;

/** The origins that the project has accepted; `undefined` if there is no project. */
export function readAcceptedOrigins({ root, lock }: ExistingProject): ReturnType<typeof readKnownOrigins> {
  return readKnownOrigins(lock, readFileIfAny(join(root, BINDINGS)));
}

/** Reports each origin that the lock of the project does not name. A first compilation has nothing to compare. */
export function checkOrigins(
  now: CredentialOrigins,
  project: ExistingProject,
  options: OriginOptions,
  diagnostics: DiagnosticCollector,
): void {
  const { dir, lock } = project;
  const accepted = readAcceptedOrigins(project);
  if (accepted === undefined) return;
  const file = join(dir, lockPath);
  if (accepted.from === 'bindings' && lock !== undefined) diagnostics.report('origins-taken-up', { file });
  const { refused, added, bare } = compareOrigins(accepted.origins, now, options);
  if (refused.length > 0) {
    const origins = [...new Set(refused.map(([origin]) => origin))];
    diagnostics.report('origin-not-accepted', {
      file,
      places: formatOriginPairs(refused),
      origins: JSON.stringify(origins),
      command: printConsentCommand(origins, options),
    });
  }
  if (added.length > 0) diagnostics.report('credential-origins', { places: formatOriginPairs(added) });
  if (bare.length > 0) {
    const origins = formatNameList(
      bare.map(([origin]) => origin),
      MOST,
    );
    diagnostics.report('requests-elsewhere', { file, origins });
  }
}

/** `added`: new credentials for known origins. `bare`: new origins that get only requests without credentials. */
function compareOrigins(
  before: CredentialOrigins,
  now: CredentialOrigins,
  { acceptOrigins = [] }: OriginOptions,
): Record<'refused' | 'added' | 'bare', Place[]> {
  const knownOrigins = new Set(Object.values(before).flat());
  const [refused, added, bare]: [Place[], Place[], Place[]] = [[], [], []];
  for (const place of pairOriginsWithCredentials(now)) {
    const [origin, credential] = place;
    const isNew = !Object.hasOwn(before, credential);
    if (acceptOrigins.includes(origin) || (!isNew && before[credential]?.includes(origin))) continue;
    if (isNew && knownOrigins.has(origin)) {
      if (isCredential(place)) added.push(place);
    } else if (credential === REQUESTS) bare.push(place);
    else if (!isNew || !isHeadersVariable(credential)) refused.push(place);
  }
  return { refused, added, bare: bare.filter(([origin]) => !refused.some(([other]) => other === origin)) };
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
