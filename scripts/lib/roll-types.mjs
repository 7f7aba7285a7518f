/** Puts the declarations that a module exports, and those that they need, into one text. */
import ts from 'typescript';

/** `file`: declaration file whose exports the text exports; returns a module of declarations. */
export function rollTypes(file) {
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(file));
  const exported = new Map(
    checker.getExportsOfModule(module).map((symbol) => [symbol.name, resolve(symbol)]),
  );
  const symbols = new Map();
  const texts = new Map();
  for (const symbol of exported.values()) add(symbol);
  const renamed = [...exported].filter(([name, symbol]) => symbol.name !== name);
  const aliases = renamed.map(([name, symbol]) => `${symbol.name} as ${name}`);
  return `${[...texts.values()].join('\n\n')}\n\nexport { ${aliases.join(', ')} };\n`;

  function add(symbol) {
    if (texts.has(symbol.name)) {
      if (symbols.get(symbol.name) !== symbol) throw new Error(`Two declarations are called ${symbol.name}.`);
      return;
    }
    symbols.set(symbol.name, symbol);
    texts.set(symbol.name, '');
    const statements = [...new Set(symbol.declarations.map(statementOf))];
    const isExported = exported.get(symbol.name) === symbol;
    texts.set(symbol.name, statements.map((statement) => textOf(statement, isExported)).join('\n'));
    for (const statement of statements) addNamed(statement);
  }

  /** Names of other packages, and of the language, stand for themselves. */
  function addNamed(node) {
    if (ts.isIdentifier(node)) {
      const reference = checker.getSymbolAtLocation(node);
      const symbol = reference && resolve(reference);
      const [declaration] = symbol?.declarations ?? [];
      if (declaration !== undefined && isOwn(declaration) && isTopLevel(declaration)) {
        if (symbol.name !== node.text) throw new Error(`${symbol.name} is imported as ${node.text}.`);
        add(symbol);
      }
    }
    ts.forEachChild(node, addNamed);
  }

  /** A feature may add a type of one of its modules, under its name, to another module: `type Root = questions.Root`. */
  function resolve(symbol) {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const declaration = target.declarations?.find(ts.isTypeAliasDeclaration);
    const name = declaration?.type.typeName;
    if (name === undefined || !ts.isQualifiedName(name) || name.right.text !== target.name) return target;
    return resolve(checker.getSymbolAtLocation(name.right));
  }

  /** With its documentation, without the names of modules before those of types. */
  function textOf(statement, isExported) {
    const { text } = statement.getSourceFile();
    const [comment] = ts.getJSDocCommentsAndTags(statement);
    let start = statement.getStart();
    let declaration = '';
    const copy = (node) => {
      const [left, right] = ts.isQualifiedName(node)
        ? [node.left, node.right]
        : ts.isPropertyAccessExpression(node)
          ? [node.expression, node.name]
          : [];
      if (left !== undefined && isModule(left)) {
        declaration += text.slice(start, node.getStart());
        start = right.getStart();
      }
      ts.forEachChild(node, copy);
    };
    copy(statement);
    declaration += text.slice(start, statement.end);
    const documentation = comment === undefined ? '' : `${text.slice(comment.pos, comment.end)}\n`;
    return `${documentation}${isExported ? 'export ' : ''}${declaration.replace(/^export /, '')}`;
  }

  function isModule(name) {
    const symbol = checker.getSymbolAtLocation(name);
    return symbol !== undefined && (resolve(symbol).flags & ts.SymbolFlags.Module) !== 0;
  }
}

function isOwn(declaration) {
  const { fileName } = declaration.getSourceFile();
  return !fileName.includes('/node_modules/') && fileName.includes('/templates/runtime/');
}

function isTopLevel(declaration) {
  return !ts.isSourceFile(declaration) && statementOf(declaration) === outer(declaration);
}

/** Variables stand in a statement of their own. */
function outer(declaration) {
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
}

/** The statement of the module, or of a `declare module` that adds to it. */
function statementOf(declaration) {
  let node = declaration;
  while (!ts.isSourceFile(node.parent) && !ts.isModuleBlock(node.parent)) node = node.parent;
  return node;
}
