/**
 * Compiles a glob: `*` matches anything within a segment, `**` anything, every other character itself, since paths are full of
 * `{parameters}`. The work is at most the length of the text times that of the glob.
 */
export function compileGlob(glob: string): (text: string) => boolean {
  const parts = (glob.match(/\*+|[^*]/gsu) ?? []).map((part) => (part.length > 2 ? '**' : part));
  return (text) => {
    // The places in the glob that the text so far leads to.
    let places = addPlacesBehindAsterisks(parts, new Set([0]));
    for (const character of text) {
      const next = new Set<number>();
      for (const place of places) {
        const part = parts[place];
        if (part === '**' || (part === '*' && character !== '/')) next.add(place);
        else if (part === character) next.add(place + 1);
      }
      if (next.size === 0) return false;
      places = addPlacesBehindAsterisks(parts, next);
    }
    return places.has(parts.length);
  };
}

/** Adds the places behind asterisks, since an asterisk may match nothing. */
function addPlacesBehindAsterisks(parts: readonly string[], places: Set<number>): Set<number> {
  for (const place of places) if (parts[place]?.startsWith('*') === true) places.add(place + 1);
  return places;
}
