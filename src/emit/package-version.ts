import { SEMVER } from '../model/published.ts';

/** The version npm and the registries accept: the server's own when it is semver, else its first numbers. */
export function packageVersion(version: string): string {
  if (SEMVER.test(version)) return version;
  const [major = '1', minor = '0', patch = '0'] = version.match(/\d{1,9}/g) ?? [];
  return [major, minor, patch].map(Number).join('.');
}
