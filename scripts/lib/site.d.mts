export interface Site {
  /** Path in the site → contents. */
  files: Map<string, string>;
  /** Paths in the repository, which are those in the site. */
  images: string[];
  lost: { page: string; link: string }[];
}

export function buildSite(read?: (page: string) => string, names?: readonly string[]): Site;
export function toAnchor(heading: string): string;
