// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * A glob as a test of a whole text: `*` stands for anything within a segment, `**` for anything. Every other
 * character, braces too, is itself, since paths are full of `{parameters}`. The work is at most the length of the text by
 * that of the glob, whatever stands in either.
 */
export function globTest(glob: string): (text: string) => boolean {
  const parts = (glob.match(/\*+|[^*]/gsu) ?? []).map((part) => (part.length > 2 ? '**' : part));
  return (text) => {
    // The places in the glob that what was read so far leads to.
    let places = opened(parts, new Set([0]));
    for (const character of text) {
      const next = new Set<number>();
      for (const place of places) {
        const part = parts[place];
        if (part === '**' || (part === '*' && character !== '/')) next.add(place);
        else if (part === character) next.add(place + 1);
      }
      if (next.size === 0) return false;
      places = opened(parts, next);
    }
    return places.has(parts.length);
  };
}

/** Asterisks may stand for nothing. */
function opened(parts: readonly string[], places: Set<number>): Set<number> {
  for (const place of places) if (parts[place]?.startsWith('*') === true) places.add(place + 1);
  return places;
}
