/** The strongly connected components of a graph (Tarjan 1972). */
export interface Components {
  /** The component of each node. Components are numbered backwards: each leads only to lower ones. */
  readonly of: readonly number[];
  readonly members: readonly (readonly number[])[];
  readonly loops: readonly number[];
  readonly after: readonly (readonly number[])[];
  reaches(from: number, to: number): boolean;
}

export function findComponents(graph: readonly (readonly number[])[]): Components {
  const of: number[] = [];
  const members = numberComponents(graph, of);
  const after = members.map((nodes, component) =>
    [...new Set(nodes.flatMap((node) => (graph[node] ?? []).map((to) => of[to] ?? 0)))].filter(
      (other) => other !== component,
    ),
  );
  const reached: Set<number>[] = [];
  for (const next of after) reached.push(new Set(next.flatMap((to) => [to, ...(reached[to] ?? [])])));
  return {
    of,
    members,
    after,
    loops: members.flatMap((nodes, component) =>
      nodes.length > 1 || nodes.some((node) => graph[node]?.includes(node) === true) ? [component] : [],
    ),
    reaches: (from, to) => reached[from]?.has(to) === true,
  };
}

function numberComponents(graph: readonly (readonly number[])[], of: number[]): number[][] {
  const members: number[][] = [];
  const order: number[] = [];
  const low: number[] = [];
  const path: number[] = [];
  let count = 0;
  const visitNode = (node: number): void => {
    order[node] = low[node] = count++;
    path.push(node);
    for (const to of graph[node] ?? []) {
      if (order[to] === undefined) visitNode(to);
      if (of[to] === undefined) low[node] = Math.min(low[node] ?? 0, low[to] ?? 0);
    }
    if (low[node] === order[node]) closeComponent(node);
  };
  const closeComponent = (root: number): void => {
    const nodes = path.splice(path.lastIndexOf(root));
    for (const node of nodes) of[node] = members.length;
    members.push(nodes);
  };
  for (const node of graph.keys()) if (order[node] === undefined) visitNode(node);
  return members;
}
