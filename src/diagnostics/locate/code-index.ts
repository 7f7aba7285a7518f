import type { ts as TypeScript } from 'ts-morph';
import type { DocumentIndex, Span } from './text-places.ts';

type Compiler = typeof TypeScript;
type Expression = TypeScript.Expression;

interface Entry {
  key?: TypeScript.Node;
  value: Expression;
}

/** Finds positions in the default export of a module, as far as it consists of literals and constants of the module. */
export class CodeIndex implements DocumentIndex {
  readonly #file: TypeScript.SourceFile;
  readonly #ts: Compiler;

  constructor(text: string, fileName: string, ts: Compiler) {
    this.#ts = ts;
    this.#file = ts.createSourceFile(fileName, text, ts.ScriptTarget.ES2023, true);
  }

  find(tokens: readonly string[], target: 'value' | 'key'): Span {
    const exported = this.#findDefaultExport();
    if (exported === undefined) return { start: 0, end: 1 };
    let entry: Entry = { value: exported };
    for (const token of tokens) {
      const next = this.#findMember(this.#unwrapExpression(entry.value), token);
      if (next === undefined) return this.#toSpan(entry.key ?? entry.value);
      entry = next;
    }
    const opens = this.#isContainer(this.#unwrapExpression(entry.value));
    return this.#toSpan(target === 'key' || opens ? (entry.key ?? entry.value) : entry.value);
  }

  #findDefaultExport(): Expression | undefined {
    return this.#file.statements
      .filter(this.#ts.isExportAssignment)
      .find(({ isExportEquals }) => !isExportEquals)?.expression;
  }

  #isContainer(node: Expression): boolean {
    return this.#ts.isObjectLiteralExpression(node) || this.#ts.isArrayLiteralExpression(node);
  }

  /** Removes types and `defineConfig` around a value, and follows the name of a constant. */
  #unwrapExpression(node: Expression, depth = 0): Expression {
    const ts = this.#ts;
    if (depth > 20) return node;
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
      return this.#unwrapExpression(node.expression, depth + 1);
    const [argument] = ts.isCallExpression(node) ? node.arguments : [];
    if (argument !== undefined) return this.#unwrapExpression(argument, depth + 1);
    const constant = ts.isIdentifier(node) ? this.#findConstant(node.text) : undefined;
    return constant === undefined ? node : this.#unwrapExpression(constant, depth + 1);
  }

  #findConstant(name: string): Expression | undefined {
    const ts = this.#ts;
    return this.#file.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => [...declarationList.declarations])
      .find((declaration) => ts.isIdentifier(declaration.name) && declaration.name.text === name)
      ?.initializer;
  }

  #findMember(node: Expression, token: string): Entry | undefined {
    const ts = this.#ts;
    if (ts.isArrayLiteralExpression(node)) {
      const at = Number(token);
      const item = node.elements.slice(0, at + 1).some(ts.isSpreadElement) ? undefined : node.elements[at];
      return item && { key: item, value: item };
    }
    if (!ts.isObjectLiteralExpression(node)) return undefined;
    // The last member of a name counts.
    for (const property of [...node.properties].reverse()) {
      const entry = this.#readEntry(property, token);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  #readEntry(property: TypeScript.ObjectLiteralElementLike, token: string): Entry | undefined {
    const ts = this.#ts;
    if (ts.isSpreadAssignment(property))
      return this.#findMember(this.#unwrapExpression(property.expression), token);
    const { name } = property;
    const isNamed = (ts.isIdentifier(name) || ts.isStringLiteralLike(name)) && name.text === token;
    if (!isNamed) return undefined;
    if (ts.isPropertyAssignment(property)) return { key: name, value: property.initializer };
    return ts.isShorthandPropertyAssignment(property) ? { key: name, value: property.name } : undefined;
  }

  #toSpan(node: TypeScript.Node): Span {
    return { start: node.getStart(this.#file), end: node.getEnd() };
  }
}

export async function createCodeIndex(text: string, fileName: string): Promise<CodeIndex> {
  const { ts } = await import('ts-morph');
  return new CodeIndex(text, fileName, ts);
}
