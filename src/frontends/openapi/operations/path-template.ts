/** The variables of a path template, in their order: `/pets/{petId}` has `petId`. */
export function pathVariables(path: string): string[] {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  return [...new Set(names)];
}
