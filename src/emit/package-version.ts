const semver = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;

/** The version npm and the registries accept: the server's own when it is semver, else its first numbers. */
export function packageVersion(version: string): string {
  if (semver.test(version)) return version;
  const [major = '1', minor = '0', patch = '0'] = version.match(/\d{1,9}/g) ?? [];
  return [major, minor, patch].map(Number).join('.');
}
