/**
 * Groups of modules that import each other, at whatever distance (Tarjan).
 *
 * @param {import('./modules.mjs').Module[]} all
 * @param {boolean} withTypes imports of types count too
 * @returns {string[][]} the files of each group
 */
export function circlesIn(all, withTypes) {
  const byFile = new Map(all.map((module) => [module.file, module]));
  const [index, low, stack, found] = [new Map(), new Map(), [], []];
  const visit = (file) => {
    index.set(file, index.size);
    low.set(file, index.get(file));
    stack.push(file);
    for (const { to, isType } of byFile.get(file).imports) {
      if ((isType && !withTypes) || !byFile.has(to)) continue;
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(file, Math.min(low.get(file), low.get(to)));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) found.push(group);
  };
  for (const { file } of all) if (!index.has(file)) visit(file);
  return found;
}
