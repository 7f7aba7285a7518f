/** The table of what registries and other places for servers demand: `mcpgen publish check`. */
import { tryParseJson } from '../util/try-parse-json.ts';
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import { createDiagnostic, type Diagnostic } from '../diagnostics/collector.ts';
import type { ParametersOf } from '../diagnostics/registry.ts';
import type { publishingDiagnostics } from '../diagnostics/registry/publishing.ts';
import { type CheckedPlace, PUBLISH_TARGETS } from '../model/published.ts';
import type { ServerModel } from '../model/server-model.ts';

/** A project as a registry or another place to publish sees it. Paths are relative to its folder. */
export interface PublishedProject {
  dir: string;
  model: ServerModel;
  /** `undefined`: there is no such file. */
  read: (path: string) => string | undefined;
}

interface Place {
  title: string;
  /** The page of its rules. */
  source: string;
  /** The month in which the page was read. */
  reviewed: string;
  /** Steps that no program can check. */
  byHand: readonly string[];
}

export const PLACES: Readonly<Record<CheckedPlace, Place>> = {
  docker: {
    title: 'An image',
    source: 'docs.docker.com/build/building/best-practices',
    reviewed: '2026-11',
    byHand: ['docker build, and a push to your registry'],
  },
  kubernetes: {
    title: 'Kubernetes',
    source: 'kubernetes.io/docs/concepts/security/pod-security-standards, restricted',
    reviewed: '2026-11',
    byHand: [
      'the image in a registry that the cluster reads, and its name in an overlay of deploy/kubernetes.yaml',
      'the Secret with MCP_STATE_SECRET and the credentials of the API',
    ],
  },
  mcpb: {
    title: 'The directory of bundles (MCPB)',
    source: 'github.com/modelcontextprotocol/mcpb, MANIFEST.md of 0.3',
    reviewed: '2026-11',
    byHand: ['npm run bundle, and a try of the bundle in Claude Desktop'],
  },
  npm: {
    title: 'npm',
    source: 'docs.npmjs.com/cli/configuring-npm/package-json',
    reviewed: '2026-11',
    byHand: ['npm publish, or a trusted publisher for the workflow'],
  },
  registry: {
    title: 'The MCP registry',
    source: 'modelcontextprotocol.io/registry',
    reviewed: '2026-11',
    byHand: ['mcp-publisher login, then mcp-publisher publish, when npm has the package'],
  },
};

type RuleName = keyof typeof publishingDiagnostics;

export interface PublishRule {
  name: RuleName;
  /** Words for tables. */
  title: string;
  places: readonly CheckedPlace[];
  check: (project: PublishedProject, place: CheckedPlace) => Diagnostic | undefined;
}

/** `check` returns the parameters of the rule's diagnostic, or nothing. */
function definePublishRule<N extends RuleName>(
  name: N,
  title: string,
  places: PublishRule['places'],
  check: (project: PublishedProject, title: string, place: CheckedPlace) => ParametersOf<N> | undefined,
): PublishRule {
  return {
    ...{ name, title, places },
    check: (project, place) => {
      const parameters = check(project, PLACES[place].title, place);
      return parameters && createDiagnostic(name, parameters);
    },
  };
}

/** Files that a place can do without. */
const OPTIONAL_FILES: readonly string[] = ['sbom.mjs', 'compose.yaml', 'deploy/haproxy.cfg', '.dockerignore'];
const LICENSES = ['LICENSE', 'LICENSE.md', 'LICENSE.txt'];

export const PUBLISH_RULES: readonly PublishRule[] = [
  definePublishRule(
    'publish-lacks-files',
    'the files of the place',
    ['docker', 'kubernetes', 'mcpb', 'registry'],
    (project, title, place) => {
      const files = PUBLISH_TARGETS[place].filter(
        (path) => !OPTIONAL_FILES.includes(path) && project.read(path) === undefined,
      );
      return files.length === 0
        ? undefined
        : { place: title, files: files.join(', '), hint: hintOfInit(project, place) };
    },
  ),
  // The manifest names an image, and the target `docker` has its recipe.
  definePublishRule('publish-lacks-files', 'a recipe of the image', ['kubernetes'], (project, title) =>
    project.read('Dockerfile') === undefined
      ? { place: title, files: 'Dockerfile', hint: hintOfInit(project, 'docker') }
      : undefined,
  ),
  definePublishRule(
    'publish-lacks-member',
    '`license`, `author` and `repository`',
    ['docker', 'npm', 'mcpb'],
    (project, title) => {
      const manifest = readObject(project, 'package.json');
      const members = ['license', 'author', 'repository'].filter((key) => textOrUrlOf(manifest[key]) === '');
      return members.length === 0 ? undefined : { place: title, members: members.join(', ') };
    },
  ),
  definePublishRule('publish-lacks-files', 'a file LICENSE', ['docker', 'npm', 'mcpb'], (project, title) =>
    LICENSES.some((path) => project.read(path) !== undefined)
      ? undefined
      : { place: title, files: 'a file LICENSE', hint: 'Add a file LICENSE with the text of your licence.' },
  ),
  definePublishRule(
    'publish-name-placeholder',
    'a name below your account or domain',
    ['registry'],
    (project, title) => {
      const name = textOrUrlOf(readObject(project, 'server.json')['name']);
      return name.startsWith('io.github.owner/') ? { place: title, name } : undefined;
    },
  ),
  definePublishRule(
    'publish-files-differ',
    'the name and version of `package.json`',
    ['mcpb', 'registry'],
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
    'publish-bundle-lacks',
    'author, icon and privacy policies of the manifest',
    ['mcpb'],
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
];

/** A rule of a place, and what it finds. */
export interface CheckedRule {
  name: string;
  title: string;
  finding?: Diagnostic | undefined;
}

export function checkPublishingPlace(place: CheckedPlace, project: PublishedProject): CheckedRule[] {
  const { source, reviewed } = PLACES[place];
  return PUBLISH_RULES.filter(({ places }) => places.includes(place)).map(({ name, title, check }) => {
    const finding = check(project, place);
    const hint = `${finding?.hint ?? ''} Rule: ${source}, read ${reviewed}.`.trim();
    return { name, title, finding: finding && { ...finding, hint } };
  });
}

function hintOfInit({ dir }: PublishedProject, place: CheckedPlace): string {
  return `Run \`mcpgen publish init ${place} ${dir}\`.`;
}

/** `author` and `repository` may be objects. */
function textOrUrlOf(value: unknown): string {
  if (isRecord(value)) return textOrUrlOf(value['url'] ?? value['name']);
  return typeof value === 'string' ? value : '';
}

function readObject({ read }: PublishedProject, path: string): Record<string, unknown> {
  const value = tryParseJson(read(path) ?? '');
  return isRecord(value) ? value : {};
}
