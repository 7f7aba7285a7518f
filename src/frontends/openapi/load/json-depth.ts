type Container = Record<string, unknown> | unknown[];

/** Recurses at most `levels` deep. */
export function isDeeper(value: unknown, levels: number): boolean {
  return isContainer(value) && holdsDeeper(value, levels - 1);
}

/** Scalars are most of a document, so they are skipped without a call. */
function holdsDeeper(container: Container, levels: number): boolean {
  if (levels < 0) return true;
  if (Array.isArray(container))
    return container.some((item) => isContainer(item) && holdsDeeper(item, levels - 1));
  for (const name in container) {
    const member = container[name];
    if (isContainer(member) && holdsDeeper(member, levels - 1)) return true;
  }
  return false;
}

export function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}
