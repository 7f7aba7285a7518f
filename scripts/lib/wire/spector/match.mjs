/** Finds the tool that a scenario's request is about. */

/** Target: a tool of one document; `base`: path of its server, with variables. */

export function targetsOf(document, { upstream, tools }) {
  return Object.entries(tools).map(([tool, { do: binding }]) => {
    const [server] = binding.servers ?? upstream.servers;
    return { document, tool, binding, base: pathOf(server?.url ?? '') };
  });
}

/** Scenarios are served at the origin, whichever the document names. */
function pathOf(url) {
  return url.replace(/^\{endpoint\}|^https?:\/\/[^/]*/, '').replace(/\/$/, '');
}

/** `targets`: of the scenario's documents; returns `values`: of the path, encoded. */
export function matchRequest(request, targets) {
  const found = targets
    .filter(({ binding }) => binding.method === request.method)
    .flatMap((target) => {
      const names = [];
      const match = patternOf(target, names).exec(withoutSlash(plainUri(request)));
      if (match === null) return [];
      const values = Object.fromEntries(names.map((name, at) => [name, match[at + 1]]));
      return [{ target, values, basePath: fill(target.base, values) }];
    });
  return found.toSorted((left, right) => rank(right, request) - rank(left, request))[0];
}

/** A document of the named version is better than another, a path with fewer variables better than one with more. */
function rank({ target, values }, { query }) {
  const { version } = target.document;
  const named = [...Object.values(values), ...Object.values(query)].includes(version);
  return (named ? 100 : 0) - Object.keys(values).length;
}

/** The scenarios' URIs are patterns of Express, where a colon is escaped. */
function plainUri({ uri }) {
  return uri.replaceAll('\\', '');
}

/** A parameter of a path may hold slashes, a variable of a server none. */
function patternOf({ base, binding }, names) {
  const path = sourceOf(base, '([^/]+)', names) + sourceOf(withoutSlash(binding.path), '(.+?)', names);
  return new RegExp(`^${path}$`);
}

function sourceOf(template, variable, names) {
  const pieces = template.split(/(\{[^}]*\})/).map((piece) => {
    if (!piece.startsWith('{')) return piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    names.push(piece.slice(1, -1));
    return variable;
  });
  return pieces.join('');
}

function withoutSlash(path) {
  return path.replace(/\/$/, '');
}

function fill(template, values) {
  return template.replace(/\{([^}]*)\}/g, (_, name) => values[name]);
}
