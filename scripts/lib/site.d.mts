export interface Site {
  /** Path in the site → contents. */
  files: Map<string, string>;
  /** Files that pages show, from the root of the repository. */
  pictures: Set<string>;
  lost: { page: string; link: string }[];
}

export function buildSite(read?: (page: string) => string, names?: readonly string[]): Site;
export function toAnchor(heading: string): string;
