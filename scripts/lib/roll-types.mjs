/** Puts the declarations that a module exports, and those that they need, into one text. */
import ts from 'typescript';

/**
 * @param {string} file declaration file whose exports the text exports
 * @param {ReadonlyMap<string, string>} replaced declarations by name, in place of those that are found
 * @returns {string} a module of declarations
 */
export function rollTypes(file, replaced) {
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const resolve = (symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const module = checker.getSymbolAtLocation(program.getSourceFile(file));
  const exported = new Set(checker.getExportsOfModule(module).map(resolve));
  const texts = new Map();
  for (const symbol of exported) add(symbol);
  return `${[...texts.values()].join('\n\n')}\n\nexport {};\n`;

  function add(symbol) {
    if (texts.get(symbol.name) !== undefined) {
      if (symbols.get(symbol.name) !== symbol) throw new Error(`Two declarations are called ${symbol.name}.`);
      return;
    }
    symbols.set(symbol.name, symbol);
    const statements = symbol.declarations.map(statementOf);
    const own = replaced.get(symbol.name) ?? statements.map(textOf).join('\n');
    texts.set(symbol.name, exported.has(symbol) ? own : own.replace(/^(\s*)export /m, '$1'));
    if (!replaced.has(symbol.name)) for (const statement of statements) addNamed(statement);
  }

  /** Names of other packages, and of the language, stand for themselves. */
  function addNamed(node) {
    if (ts.isIdentifier(node)) {
      const found = checker.getSymbolAtLocation(node);
      const symbol = found && resolve(found);
      const [declaration] = symbol?.declarations ?? [];
      const file = declaration?.getSourceFile();
      if (file !== undefined && isTopLevel(declaration) && isOwn(file)) {
        if (symbol.name !== node.text) throw new Error(`${symbol.name} is imported as ${node.text}.`);
        add(symbol);
      }
    }
    ts.forEachChild(node, addNamed);
  }

  function isOwn(file) {
    if (file.fileName.includes('/node_modules/')) return false;
    return file.fileName.includes('/templates/runtime/');
  }
}

const symbols = new Map();

function isTopLevel(declaration) {
  return ts.isSourceFile(statementOf(declaration).parent) && statementOf(declaration) === outer(declaration);
}

/** Variables stand in a statement of their own. */
function outer(declaration) {
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
}

function statementOf(declaration) {
  let node = declaration;
  while (!ts.isSourceFile(node.parent)) node = node.parent;
  return node;
}

/** With its documentation. */
function textOf(statement) {
  const source = statement.getSourceFile();
  const [comment] = ts.getJSDocCommentsAndTags(statement);
  return source.text.slice(comment?.pos ?? statement.getStart(), statement.end);
}
