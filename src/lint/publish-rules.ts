/** The table of what places for servers demand, beside the rules for tools: `mcpgen publish check`. */
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import { createDiagnostic, type Diagnostic } from '../diagnostics/collector.ts';
import type { ParametersOf } from '../diagnostics/registry.ts';
import type { publishingDiagnostics } from '../diagnostics/registry/publishing.ts';
import { DEFAULT_FEATURES } from '../model/features.ts';
import { type CheckedPlace, PUBLISH_TARGETS, isPublishTarget } from '../model/published.ts';
import type { ServerModel } from '../model/server-model.ts';

/** A project as a registry or another place to publish sees it. Paths are relative to its folder. */
export interface PublishedProject {
  dir: string;
  model: ServerModel;
  hostedUrl?: string | undefined;
  features?: readonly string[] | undefined;
  /** `undefined`: there is no such file. */
  read: (path: string) => string | undefined;
}

/** A page of rules, and the month in which it was read. */
export interface Basis {
  source: string;
  reviewed: string;
}

interface Place extends Basis {
  title: string;
  /** Steps that no program can check. */
  byHand: readonly string[];
}

const REVIEWED = '2026-11';

const PAGES = {
  claudePolicy: {
    source: 'support.claude.com/en/articles/13145358, Software Directory Policy',
    reviewed: '2026-11',
  },
  claudeConnectors: {
    source: 'support.claude.com/en/articles/12922490, submission guide',
    reviewed: '2026-11',
  },
  chatgpt: { source: 'developers.openai.com/apps-sdk/app-submission-guidelines', reviewed: '2026-11' },
  chatgptHints: {
    source: 'developers.openai.com/apps-sdk, schema tool-hint-justifications.v1',
    reviewed: '2026-11',
  },
  docker: { source: 'github.com/docker/mcp-registry, CONTRIBUTING.md', reviewed: '2026-11' },
  smithery: { source: 'smithery.ai/docs/build/publish', reviewed: '2026-11' },
  glama: { source: 'glama.ai/mcp/schemas/server.json', reviewed: '2026-11' },
  glamaScores: { source: 'glama.ai, scores of servers', reviewed: '2026-11' },
  registry: { source: 'modelcontextprotocol.io/registry/quickstart', reviewed: '2026-11' },
  registryPackages: { source: 'modelcontextprotocol.io/registry/package-types', reviewed: '2026-11' },
  registryNames: { source: 'modelcontextprotocol.io/registry/authentication', reviewed: '2026-11' },
  npm: { source: 'docs.npmjs.com/cli/configuring-npm/package-json', reviewed: '2026-11' },
  mcpb: { source: 'github.com/modelcontextprotocol/mcpb, MANIFEST.md of 0.3', reviewed: '2026-11' },
  kubernetes: { source: 'kubernetes.io/docs/concepts/security/pod-security-standards', reviewed: '2026-11' },
} satisfies Record<string, Basis>;

export const PLACES: Readonly<Record<CheckedPlace, Place>> = {
  claude: {
    title: 'The directory of Claude connectors',
    source: 'support.claude.com/en/articles/13145358',
    reviewed: REVIEWED,
    byHand: [
      'the form of the review, with a test account',
      'the redirect URL https://claude.ai/api/mcp/auth_callback at your issuer, if callers need a token',
    ],
  },
  chatgpt: {
    title: 'The directory of ChatGPT apps',
    source: 'developers.openai.com/apps-sdk',
    reviewed: REVIEWED,
    byHand: [
      'the challenge of the domain: MCP_WELL_KNOWN_OPENAI_APPS_CHALLENGE at the server’s start',
      'icons, test cases, and the URLs of privacy policy and terms, in the form',
    ],
  },
  docker: {
    title: 'Docker’s MCP catalog',
    source: 'github.com/docker/mcp-registry',
    reviewed: REVIEWED,
    byHand: ['a pull request with publishing/docker as servers/<name>'],
  },
  smithery: {
    title: 'Smithery',
    source: 'smithery.ai/docs/build/publish',
    reviewed: REVIEWED,
    byHand: [
      'the address at smithery.ai/new; the card at /.well-known/mcp/server-card.json only if it cannot scan the server',
    ],
  },
  glama: {
    title: 'Glama',
    source: 'glama.ai/mcp/schemas/server.json',
    reviewed: REVIEWED,
    byHand: ['claiming the server with your account on GitHub'],
  },
  registry: {
    title: 'The MCP registry',
    source: 'modelcontextprotocol.io/registry',
    reviewed: REVIEWED,
    byHand: ['mcp-publisher login, then mcp-publisher publish, when npm has the package'],
  },
  npm: {
    title: 'npm',
    source: 'docs.npmjs.com',
    reviewed: REVIEWED,
    byHand: ['npm publish, or a trusted publisher for the workflow'],
  },
  mcpb: {
    title: 'The directory of bundles (MCPB)',
    source: 'github.com/modelcontextprotocol/mcpb, manifest 0.3',
    reviewed: REVIEWED,
    byHand: ['npm run bundle, and a try of the bundle in Claude Desktop'],
  },
  kubernetes: {
    title: 'Kubernetes',
    source: 'kubernetes.io/docs/concepts/security/pod-security-standards, restricted',
    reviewed: REVIEWED,
    byHand: [
      'the image in a registry that the cluster reads, and its name in an overlay of deploy/kubernetes.yaml',
      'the Secret with MCP_STATE_SECRET and the credentials of the API',
    ],
  },
};

type RuleName = keyof typeof publishingDiagnostics;

/** The finding of a rule: the parameters of its diagnostic, or nothing. */
type Check<N extends RuleName> = (
  project: PublishedProject,
  title: string,
  place: CheckedPlace,
) => ParametersOf<N> | undefined;

export interface PublishRule {
  name: RuleName;
  /** Words for tables. */
  title: string;
  places: Readonly<Partial<Record<CheckedPlace, Basis>>>;
  check: (project: PublishedProject, place: CheckedPlace) => Diagnostic | undefined;
}

function definePublishRule<N extends RuleName>(
  name: N,
  title: string,
  places: PublishRule['places'],
  check: Check<N>,
): PublishRule {
  return {
    ...{ name, title, places },
    check: (project, place) => {
      const found = check(project, PLACES[place].title, place);
      return found === undefined ? undefined : createDiagnostic(name, found);
    },
  };
}

/** The README has words that match `pattern`. */
function makeReadmeRule(what: string, places: PublishRule['places'], pattern: RegExp): PublishRule {
  return definePublishRule('publish-lacks-words', `${what} in README`, places, (project, title) =>
    pattern.test(project.read('README.md') ?? '') ? undefined : { place: title, what, file: 'README.md' },
  );
}

/** Files that a place can do without. */
const NOT_DEMANDED: readonly string[] = [
  ...[
    'sbom.mjs',
    'compose.yaml',
    'deploy/haproxy.cfg',
    '.dockerignore',
    'publishing/smithery/server-card.json',
  ],
];
const PERMISSIVE = /^(?:MIT(?:-0)?|Apache-2\.0|BSD-[23]-Clause|ISC|0BSD|Unlicense|CC0-1\.0)$/;
export const LICENSES = ['LICENSE', 'LICENSE.md', 'LICENSE.txt'];

export const PUBLISH_RULES: readonly PublishRule[] = [
  definePublishRule(
    'publish-lacks-files',
    'the files of the place',
    {
      chatgpt: PAGES.chatgptHints,
      docker: PAGES.docker,
      glama: PAGES.glama,
      registry: PAGES.registry,
      mcpb: PAGES.mcpb,
      kubernetes: PAGES.kubernetes,
    },
    (project, title, place) => {
      const wanted = isPublishTarget(place) ? PUBLISH_TARGETS[place] : [];
      const files = wanted.filter((path) => !NOT_DEMANDED.includes(path) && project.read(path) === undefined);
      return files.length === 0
        ? undefined
        : { place: title, files: files.join(', '), command: printInitCommand(project, place) };
    },
  ),
  // The manifest names an image, and the target `docker` has its recipe.
  definePublishRule(
    'publish-lacks-files',
    'a recipe of the image',
    { kubernetes: PAGES.kubernetes },
    (project, title) =>
      project.read('Dockerfile') === undefined
        ? { place: title, files: 'Dockerfile', command: printInitCommand(project, 'docker') }
        : undefined,
  ),
  definePublishRule(
    'publish-lacks-member',
    '`license`, `author` and `repository`',
    { docker: PAGES.docker, glama: PAGES.glamaScores, npm: PAGES.npm, mcpb: PAGES.mcpb },
    (project, title, place) => {
      const wanted = { ...WANTED, ...(place === 'docker' || place === 'glama' ? ON_GITHUB : {}) };
      const manifest = readObject(project, 'package.json');
      const members = Object.entries(wanted).filter(([key, isFit]) => !isFit(textOrUrlOf(manifest[key])));
      return members.length === 0
        ? undefined
        : { place: title, members: members.map(([key]) => key).join(', ') };
    },
  ),
  definePublishRule(
    'publish-lacks-license',
    'a file LICENSE',
    { docker: PAGES.docker, glama: PAGES.glamaScores, npm: PAGES.npm, mcpb: PAGES.mcpb },
    (project, title, place) =>
      LICENSES.some((path) => project.read(path) !== undefined)
        ? undefined
        : { place: title, command: printInitCommand(project, place) },
  ),
  definePublishRule(
    'publish-license-refused',
    'a permissive licence',
    { docker: PAGES.docker },
    (project, title) => {
      const license = textOrUrlOf(readObject(project, 'package.json')['license']);
      return license === '' || PERMISSIVE.test(license) ? undefined : { place: title, license };
    },
  ),
  definePublishRule(
    'publish-name-placeholder',
    'a name below your account or domain',
    { registry: PAGES.registryNames },
    (project, title) => {
      const name = textOrUrlOf(readObject(project, 'server.json')['name']);
      return name.startsWith('io.github.owner/') ? { place: title, name } : undefined;
    },
  ),
  definePublishRule(
    'publish-files-differ',
    'the name and version of `package.json`',
    { registry: PAGES.registryPackages, mcpb: PAGES.mcpb },
    (project, _, place) => {
      const file = place === 'mcpb' ? 'manifest.json' : 'server.json';
      const [entry, manifest] = [readObject(project, file), readObject(project, 'package.json')];
      const pairs = place === 'mcpb' ? { version: 'version' } : { version: 'version', name: 'mcpName' };
      const differing = Object.entries(pairs).find(
        ([own, other]) =>
          textOrUrlOf(entry[own]) !== '' && textOrUrlOf(entry[own]) !== textOrUrlOf(manifest[other]),
      );
      if (differing === undefined) return undefined;
      const [member, other] = differing;
      return {
        file,
        member,
        there: textOrUrlOf(entry[member]),
        here: textOrUrlOf(manifest[other]) || 'none',
      };
    },
  ),
  definePublishRule(
    'publish-not-hosted',
    'an address, or a bundle where those are taken',
    { claude: PAGES.claudeConnectors, chatgpt: PAGES.chatgpt, smithery: PAGES.smithery },
    (project, title, place) => {
      const { hostedUrl, read } = project;
      const takesBundles = place !== 'chatgpt';
      if (hostedUrl !== undefined || (takesBundles && read('manifest.json') !== undefined)) return undefined;
      return takesBundles
        ? { place: title, instead: ' and bundles', bundle: printInitCommand(project, 'mcpb') }
        : { place: title, instead: '', bundle: '' };
    },
  ),
  definePublishRule(
    'publish-lacks-feature',
    'the feature `http`',
    { chatgpt: PAGES.chatgpt, smithery: PAGES.smithery },
    ({ features = DEFAULT_FEATURES, hostedUrl }, title, place) =>
      features.includes('http') || (place === 'smithery' && hostedUrl === undefined)
        ? undefined
        : { place: title, feature: 'http' },
  ),
  makeReadmeRule('a privacy policy', { claude: PAGES.claudePolicy, chatgpt: PAGES.chatgpt }, /privacy/i),
  makeReadmeRule(
    'three example prompts',
    { claude: PAGES.claudePolicy },
    /\bexample (?:prompt|question)s?\b|\btry (?:asking|these)\b/i,
  ),
  definePublishRule(
    'publish-bundle-lacks',
    'author, icon and privacy policies of the manifest',
    { mcpb: PAGES.mcpb },
    (project, title) => {
      const manifest = readObject(project, 'manifest.json');
      const { author, icon, privacy_policies: policies } = manifest;
      const isKnown = isRecord(author) && textOrUrlOf(author['name']) !== '' && author['name'] !== 'Unknown';
      const calls = project.model.tools.some(({ binding }) => binding.kind === 'http');
      const members = [
        ...(isKnown ? [] : ['author']),
        ...(textOrUrlOf(icon) === '' ? ['icon'] : []),
        ...(calls && !Array.isArray(policies) ? ['privacy_policies'] : []),
      ];
      const isThere = Object.keys(manifest).length > 0;
      return members.length === 0 || !isThere ? undefined : { place: title, members: members.join(', ') };
    },
  ),
  definePublishRule('publish-unfinished', 'an entry without TODO', { docker: PAGES.docker }, ({ read }) => {
    const file = 'publishing/docker/server.yaml';
    const lines = [...(read(file) ?? '').matchAll(/^ +(\w+): (?:TODO|'')$/gm)].map(([, key = '']) => key);
    return lines.length === 0 ? undefined : { file, members: lines.join(', ') };
  }),
  definePublishRule('publish-unfinished', 'a maintainer', { glama: PAGES.glama }, (project) => {
    const file = 'glama.json';
    const { maintainers } = readObject(project, file);
    return Array.isArray(maintainers) && maintainers.length === 0
      ? { file, members: 'maintainers' }
      : undefined;
  }),
  definePublishRule(
    'publish-reads-open',
    'reading tools that say `openWorldHint: false`',
    { chatgpt: PAGES.chatgptHints },
    ({ model }, title) => {
      const count = model.tools.filter(
        ({ annotations }) => annotations?.readOnlyHint === true && annotations.openWorldHint !== false,
      ).length;
      return count === 0 ? undefined : { place: title, count };
    },
  ),
];

const WANTED: Readonly<Record<string, (text: string) => boolean>> = {
  license: (text) => text !== '',
  author: (text) => text !== '',
  repository: (text) => text !== '',
};
const ON_GITHUB: typeof WANTED = { repository: (text) => /github/.test(text) };

/** A rule of a place, and what it finds. */
export interface CheckedRule extends Basis {
  name: string;
  title: string;
  found?: Diagnostic | undefined;
}

export function checkPublishingPlace(place: CheckedPlace, project: PublishedProject): CheckedRule[] {
  return PUBLISH_RULES.flatMap(({ name, title, places, check }) => {
    const basis = places[place];
    if (basis === undefined) return [];
    const found = check(project, place);
    return [{ name, title, ...basis, found: found && { ...found, hint: appendBasisToHint(found, basis) } }];
  });
}

function appendBasisToHint({ hint = '' }: Diagnostic, { source, reviewed }: Basis): string {
  return `${hint} Rule: ${source}, read ${reviewed}.`.trim();
}

/** npm itself needs no target: a package has all that it demands but LICENSE. */
function printInitCommand({ dir }: PublishedProject, place: CheckedPlace): string {
  return `mcpgen publish init ${place} ${dir}`;
}

function readObject({ read }: PublishedProject, path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(read(path) ?? '');
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** `author` and `repository` may be objects. */
function textOrUrlOf(value: unknown): string {
  if (isRecord(value)) return textOrUrlOf(value['url'] ?? value['name']);
  return typeof value === 'string' ? value : '';
}
