/** Data that the npm package, the registry entry and the bundle share. */

export interface Published {
  /** The package's name on npm. The command and the server's own name do not change. */
  name?: string;
  description?: string;
  /** The semantic version, instead of the source's own. */
  version?: string;
  mcpName?: string;
  author?: Person;
  license?: string;
  homepage?: string;
  /** The URL of a page, without `git+` and `.git`. */
  repository?: string;
  /** Packages must be installed to run the server. */
  installs?: true;
}

export interface Person {
  name: string;
  email?: string;
  url?: string;
}

/** Semantic Versioning 2.0.0. */
export const SEMVER = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;

/** Returns the command that a package brings, which is also its name in clients: a scoped package's has no scope. */
export function commandName({ name }: { name: string }): string {
  return name.split('/').at(-1) ?? name;
}

/** The names that npm accepts for a new package: https://docs.npmjs.com/cli/configuring-npm/package-json#name. */
export function isPackageName(text: string): boolean {
  return text.length <= 214 && /^(@[a-z\d~-][a-z\d._~-]*\/)?[a-z\d~-][a-z\d._~-]*$/.test(text);
}

/** A namespace in reverse DNS and a name, as `server.json` has it (schema of 2025-12-11). */
export function isRegistryName(text: string): boolean {
  return text.length <= 200 && /^[a-z\d-]+(\.[a-z\d-]+)+\/[a-z\d]([\w.-]*[a-z\d])?$/i.test(text);
}

/** Publish target → the files that only it needs. `package.json` can be published without any. */
export const PUBLISH_TARGETS = {
  npm: ['sbom.mjs'],
  docker: ['Dockerfile', '.dockerignore', 'compose.yaml', 'deploy/haproxy.cfg'],
  kubernetes: ['deploy/kubernetes.yaml'],
  registry: ['server.json'],
  mcpb: ['manifest.json', 'bundle.mjs'],
  github: ['.github/workflows/publish.yml', '.github/workflows/regenerate.yml'],
} as const;

export type PublishTarget = keyof typeof PUBLISH_TARGETS;

export const publishTargets = Object.keys(PUBLISH_TARGETS) as PublishTarget[];

/** Targets that `mcpgen publish check` has rules for. */
export const CHECKED_PLACES = ['docker', 'kubernetes', 'mcpb', 'npm', 'registry'] as const;
export type CheckedPlace = (typeof CHECKED_PLACES)[number];

export function isPublishTarget(name: string): name is PublishTarget {
  return Object.hasOwn(PUBLISH_TARGETS, name);
}
