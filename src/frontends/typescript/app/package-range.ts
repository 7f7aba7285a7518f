/** Converts version ranges so that the emitted project can be installed anywhere. */

export type InstallableRange =
  | { range: string }
  /** It means a folder or file of this machine; `range` stands in. */
  | { range: string; local: string };

/** The installed package in `node_modules`. */
export interface InstalledPackage {
  version: string;
  isPrivate: boolean;
}

/** Undefined for a range in a catalog. */
export function installableRange(
  written: string,
  installed: InstalledPackage | undefined,
): InstallableRange | undefined {
  if (written.startsWith('catalog:')) return undefined;
  const found = installed === undefined ? '*' : `^${installed.version}`;
  if (!written.startsWith('workspace:'))
    return isLocal(written) ? { range: found, local: written } : { range: written };
  const range = toPublishedRange(written.slice('workspace:'.length), installed?.version);
  return installed?.isPrivate === true || range === undefined
    ? { range: range ?? '*', local: written }
    : { range };
}

function isLocal(range: string): boolean {
  return /^(?:(?:file|link|portal|patch|exec):|\.{0,2}\/|~\/|[a-z]:[/\\])/i.test(range);
}

/** Converts workspace ranges as pnpm does when it publishes: `*` is the version, and `^` and `~` precede it. */
function toPublishedRange(range: string, version: string | undefined): string | undefined {
  const [, alias, own = range] = /^(@?[^@]+)@(.+)$/.exec(range) ?? [];
  if (isLocal(own)) return undefined;
  const sign = /^[*^~]$/.test(own);
  if (sign && version === undefined) return undefined;
  const plain = sign ? `${own === '*' ? '' : own}${version ?? ''}` : own;
  return alias === undefined ? plain : `npm:${alias}@${plain}`;
}
