export interface Life {
  faults: string[];
  figures: Record<
    'kept' | 'lost' | 'added' | 'changed' | 'renamed' | 'breaking' | 'compatible' | 'tests',
    number
  >;
}

export function liveThrough(
  versions: { before: string; after: string },
  folder: string,
  options?: { builds?: string[]; baseUrl?: string | undefined },
): Promise<Life>;
