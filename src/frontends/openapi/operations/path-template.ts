/** `/pets/{petId}` → `petId` */
export function pathVariables(path: string): string[] {
  const names = path.match(/\{[^{}]+\}/g)?.map((expression) => expression.slice(1, -1)) ?? [];
  return [...new Set(names)];
}
