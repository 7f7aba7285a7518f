/** Finds the names that a module of the user mentions, in its syntax alone. `ts` is passed since TypeScript loads late. */
import type { ts as TypeScript } from 'ts-morph';

function listNodes(file: TypeScript.SourceFile, ts: typeof TypeScript): TypeScript.Node[] {
  const nodes: TypeScript.Node[] = [];
  const visitNode = (node: TypeScript.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visitNode);
  };
  visitNode(file);
  return nodes;
}

/** The members that code reads, as `elicit` of `context.elicit` or of `({ elicit }) => …`, and the keys of its objects. */
export function listMembersAndKeys(
  file: TypeScript.SourceFile,
  ts: typeof TypeScript,
): { members: Set<string>; keys: Set<string> } {
  const members = new Set<string>();
  const keys = new Set<string>();
  for (const node of listNodes(file, ts)) {
    const member = findMemberName(node, ts);
    if (member !== undefined) members.add(member);
    if (ts.isObjectLiteralElementLike(node) && node.name !== undefined && ts.isIdentifier(node.name))
      keys.add(node.name.text);
  }
  return { members, keys };
}

/** `x` of `a.x`, `a['x']` and `const { x } = a`. */
function findMemberName(node: TypeScript.Node, ts: typeof TypeScript): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isElementAccessExpression(node))
    return ts.isStringLiteralLike(node.argumentExpression) ? node.argumentExpression.text : undefined;
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return undefined;
  const name = node.propertyName ?? node.name;
  return ts.isIdentifier(name) ? name.text : undefined;
}

/** A key of an object literal, or the text of a literal. */
type NameNode = TypeScript.Identifier | TypeScript.StringLiteralLike | TypeScript.NumericLiteral;

export interface ToolUse {
  literal: NameNode;
  kind: 'comparison' | 'prefix' | 'call';
}

/**
 * The names of tools in `request.tool === 'x'`, `switch (request.tool)`, `LIST.includes(request.tool)`, `LIMITS[request.tool]`,
 * `request.tool.startsWith('x')` and `context.call('x')`, and the names that the module gives to tools of its own. Lists, sets, maps
 * and objects are literals, or constants of the module.
 */
export function findToolNames(
  file: TypeScript.SourceFile,
  ts: typeof TypeScript,
): { uses: ToolUse[]; declared: string[] } {
  const nodes = listNodes(file, ts);
  const { members } = listMembersAndKeys(file, ts);
  const locals = (member: string): Set<string> =>
    new Set(
      nodes.flatMap((node) =>
        ts.isBindingElement(node) && findMemberName(node, ts) === member && ts.isIdentifier(node.name)
          ? [node.name.text]
          : [],
      ),
    );
  const [tools, calls] = [locals('tool'), locals('call')];
  const isMember = (node: TypeScript.Node, member: string, names: ReadonlySet<string>): boolean =>
    ts.isIdentifier(node) ? names.has(node.text) : findMemberName(node, ts) === member;
  const isTool = (node: TypeScript.Node | undefined): boolean =>
    node !== undefined && isMember(unwrapValue(node, ts), 'tool', tools);
  const resolveConstant = (node: TypeScript.Node): TypeScript.Node => {
    const value = unwrapValue(node, ts);
    if (!ts.isIdentifier(value)) return value;
    const declarations = nodes
      .filter(ts.isVariableDeclaration)
      .filter(({ name }) => name.getText(file) === value.text);
    const [declaration, other] = declarations;
    const isConstant = declaration !== undefined && (declaration.parent.flags & ts.NodeFlags.Const) !== 0;
    if (!isConstant || other !== undefined || declaration.initializer === undefined) return value;
    return unwrapValue(declaration.initializer, ts);
  };
  /** The elements of a list or set, and the keys of a map or object. `outer` are the values that it is within. */
  const listNames = (node: TypeScript.Node, outer: readonly TypeScript.Node[] = []): TypeScript.Node[] => {
    const value = resolveConstant(node);
    if (outer.includes(value)) return [];
    const listInner = (inner: TypeScript.Node): TypeScript.Node[] => listNames(inner, [...outer, value]);
    if (ts.isNewExpression(value)) return (value.arguments ?? []).slice(0, 1).flatMap(listInner);
    if (ts.isArrayLiteralExpression(value))
      return value.elements.flatMap((element) => {
        if (ts.isSpreadElement(element)) return listInner(element.expression);
        // An entry of a map.
        return (ts.isArrayLiteralExpression(element) && element.elements[0]) || element;
      });
    if (!ts.isObjectLiteralExpression(value)) return [];
    // `default` of `LIMITS[request.tool] ?? LIMITS.default` is no tool.
    return value.properties.flatMap(({ name }) => (name && !members.has(name.getText(file)) ? [name] : []));
  };
  const listCompared = (node: TypeScript.Node): readonly TypeScript.Node[] => {
    if (ts.isBinaryExpression(node)) {
      const { left, operatorToken, right } = node;
      if (operatorToken.kind === ts.SyntaxKind.InKeyword) return isTool(left) ? listNames(right) : [];
      if (!/^[!=]==?$/.test(operatorToken.getText(file))) return [];
      return [...(isTool(left) ? [right] : []), ...(isTool(right) ? [left] : [])];
    }
    if (ts.isSwitchStatement(node) && isTool(node.expression))
      return node.caseBlock.clauses.filter(ts.isCaseClause).map(({ expression }) => expression);
    if (ts.isElementAccessExpression(node))
      return isTool(node.argumentExpression) ? listNames(node.expression) : [];
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
    const [first, second] = node.arguments;
    const { name, expression } = node.expression;
    if (name.text === 'hasOwn') return first !== undefined && isTool(second) ? listNames(first) : [];
    return /^(?:includes|has|get)$/.test(name.text) && isTool(first) ? listNames(expression) : [];
  };
  const isPrefixTest = ({ expression }: TypeScript.CallExpression): boolean =>
    ts.isPropertyAccessExpression(expression) &&
    expression.name.text === 'startsWith' &&
    isTool(expression.expression);
  const isName = (node: TypeScript.Node): node is NameNode =>
    ts.isStringLiteralLike(node) || ts.isIdentifier(node) || ts.isNumericLiteral(node);
  const isKey = (node: NameNode): boolean =>
    ts.isStringLiteralLike(node) || ts.isObjectLiteralElementLike(node.parent);
  const uses = nodes.flatMap((node): ToolUse[] => {
    const compared = listCompared(node).filter(isName).filter(isKey);
    if (compared.length > 0) return compared.map((literal) => ({ literal, kind: 'comparison' }));
    if (!ts.isCallExpression(node)) return [];
    const kind = isPrefixTest(node)
      ? 'prefix'
      : isMember(node.expression, 'call', calls)
        ? 'call'
        : undefined;
    if (kind === undefined) return [];
    return node.arguments
      .slice(0, 1)
      .filter(ts.isStringLiteralLike)
      .map((literal) => ({ literal, kind }));
  });
  const declared = nodes.flatMap((node) =>
    ts.isPropertyAssignment(node) &&
    node.name.getText(file) === 'name' &&
    ts.isStringLiteralLike(node.initializer)
      ? [node.initializer.text]
      : [],
  );
  return { uses, declared };
}

/** `x` of `x ?? ''`, `x || ''`, `(x)`, `x!`, `x as T` and `x satisfies T`. */
function unwrapValue(node: TypeScript.Node, ts: typeof TypeScript): TypeScript.Node {
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node)
  )
    return unwrapValue(node.expression, ts);
  const isFallback = ts.isBinaryExpression(node) && /^(?:\?\?|\|\|)$/.test(node.operatorToken.getText());
  return isFallback ? unwrapValue(node.left, ts) : node;
}

/** Functions and classes that write → the position of the path that they write to. */
const WRITERS: ReadonlyMap<string, number> = new Map([
  ...['writeFile', 'appendFile', 'mkdir'].flatMap((name) => [
    [name, 0] as const,
    [`${name}Sync`, 0] as const,
  ]),
  ...['copyFile', 'cp', 'rename'].flatMap((name) => [[name, 1] as const, [`${name}Sync`, 1] as const]),
  ['createWriteStream', 0],
  ['DatabaseSync', 0],
]);

const READER = /^(?:read|exists|stat|access|createRead|require|import|fetch)/;

/**
 * The first call that writes to a path made of the module's own place (`import.meta`, `__dirname`). Paths are followed through
 * constants, returned values, parameters and members of this module, and through no other.
 */
export function findOwnFolderWrite(
  file: TypeScript.SourceFile,
  ts: typeof TypeScript,
): TypeScript.Node | undefined {
  if (!/\bimport\.meta\b|\b__(?:dir|file)name\b/.test(file.text)) return undefined;
  const nodes = listNodes(file, ts);
  const calls = nodes.filter((node) => ts.isCallExpression(node) || ts.isNewExpression(node));
  const writes = calls.filter((call) => WRITERS.has(nameOfCallee(call, ts)));
  if (writes.length === 0) return undefined;
  const places = new Set<TypeScript.Node | string>();
  const findParameter = (name: TypeScript.Identifier): TypeScript.Node | undefined => {
    for (let node: TypeScript.Node | undefined = name.parent; node !== undefined; node = node.parent) {
      const parameter =
        ts.isFunctionLike(node) &&
        node.parameters.find(
          (parameter) => ts.isIdentifier(parameter.name) && parameter.name.text === name.text,
        );
      if (parameter) return parameter;
    }
    return undefined;
  };
  const leadsHere = (node: TypeScript.Node): boolean => {
    if (ts.isPropertyAccessExpression(node)) {
      if (ts.isMetaProperty(node.expression)) return /^(?:url|dirname|filename)$/.test(node.name.text);
      return places.has(`.${node.name.text}`) || leadsHere(node.expression);
    }
    if (ts.isIdentifier(node))
      return /^__(?:dir|file)name$/.test(node.text) || places.has(findParameter(node) ?? node.text);
    if (ts.isCallExpression(node) && READER.test(nameOfCallee(node, ts))) return false;
    return ts.forEachChild(node, (child) => leadsHere(child) || undefined) ?? false;
  };
  const addPlaces = (node: TypeScript.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      if (!ts.isFunctionLike(node.initializer) && leadsHere(node.initializer)) places.add(node.name.text);
      if (ts.isArrowFunction(node.initializer) && !ts.isBlock(node.initializer.body))
        if (leadsHere(node.initializer.body)) places.add(node.name.text);
    } else if (ts.isReturnStatement(node) && node.expression !== undefined && leadsHere(node.expression)) {
      const holder = ts.findAncestor(node, ts.isFunctionLike);
      const name =
        holder?.name ?? (holder && ts.isVariableDeclaration(holder.parent) ? holder.parent.name : undefined);
      if (name !== undefined && ts.isIdentifier(name))
        places.add(holder !== undefined && ts.isMethodDeclaration(holder) ? `.${name.text}` : name.text);
    } else if (
      ts.isPropertyDeclaration(node) &&
      node.initializer !== undefined &&
      leadsHere(node.initializer)
    ) {
      places.add(`.${node.name.getText(file)}`);
    } else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      if (!leadsHere(node.right)) return;
      if (ts.isIdentifier(node.left)) places.add(node.left.text);
      if (ts.isPropertyAccessExpression(node.left)) places.add(`.${node.left.name.text}`);
    } else if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const parameters = findParameters(node, nodes, ts);
      for (const [index, argument] of (node.arguments ?? []).entries()) {
        const parameter = parameters[index];
        if (parameter === undefined || !leadsHere(argument)) continue;
        places.add(parameter);
        if (ts.isParameterPropertyDeclaration(parameter, parameter.parent))
          places.add(`.${parameter.name.getText(file)}`);
      }
    }
  };
  for (let size = -1; size !== places.size;) {
    size = places.size;
    nodes.forEach(addPlaces);
  }
  return writes.find((call) => {
    const path = call.arguments?.[WRITERS.get(nameOfCallee(call, ts)) ?? 0];
    return path !== undefined && leadsHere(path);
  });
}

type Call = TypeScript.CallExpression | TypeScript.NewExpression;

function nameOfCallee({ expression }: Call, ts: typeof TypeScript): string {
  const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  return ts.isIdentifier(name) ? name.text : '';
}

/** The parameters of the function or class of this module that the call names. */
function findParameters(
  call: Call,
  nodes: readonly TypeScript.Node[],
  ts: typeof TypeScript,
): readonly TypeScript.ParameterDeclaration[] {
  const name = nameOfCallee(call, ts);
  for (const node of nodes) {
    if (ts.isFunctionDeclaration(node) && node.name?.text === name) return node.parameters;
    if (ts.isClassDeclaration(node) && node.name?.text === name)
      return node.members.find(ts.isConstructorDeclaration)?.parameters ?? [];
  }
  return [];
}
