/**
 * A TypeScript module as JavaScript, by blanking what is only types: all else stays where it is, so that a place in a stack
 * is one in the source (docs/adr/0019-types-are-erased-in-place.md). Printing it anew is left to TypeScript where more is to be
 * done than that.
 */
import { ts } from 'ts-morph';
import { beyondTypes, hasModifier, isDeclared, isImportCall } from './beyond-types.ts';
import { enumEdits } from './enum-edits.ts';
import { applyEdits, type TextEdit } from './text-edits.ts';

const { SyntaxKind } = ts;

/**
 * Undefined where blanking is not enough: for namespaces, enums that are computed, decorators, JSX, CommonJS by its name, and where a line would run on
 * into the next. The file's nodes must have parents.
 */
export function eraseTypes(file: ts.SourceFile): string | undefined {
  if (/\.(?:cts|cjs|[jt]sx)$/.test(file.fileName)) return undefined;
  try {
    return new Eraser(file).erased();
  } catch (error) {
    if (error instanceof NotErasable) return undefined;
    throw error;
  }
}

class NotErasable extends Error {}

const TYPES_ALONE = new Set<ts.SyntaxKind>([
  SyntaxKind.InterfaceDeclaration,
  SyntaxKind.TypeAliasDeclaration,
  SyntaxKind.IndexSignature,
  SyntaxKind.NamespaceExportDeclaration,
]);

const MODIFIERS_OF_TYPES = new Set<ts.SyntaxKind>([
  SyntaxKind.PublicKeyword,
  SyntaxKind.PrivateKeyword,
  SyntaxKind.ProtectedKeyword,
  SyntaxKind.ReadonlyKeyword,
  SyntaxKind.OverrideKeyword,
  SyntaxKind.AbstractKeyword,
]);

class Eraser {
  readonly #file: ts.SourceFile;
  readonly #text: string;
  readonly #scanner: ts.Scanner;
  readonly #edits: TextEdit[] = [];

  constructor(file: ts.SourceFile) {
    this.#file = file;
    this.#text = file.text;
    this.#scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, file.text);
  }

  erased(): string {
    this.#visit(this.#file);
    return applyEdits(this.#text, this.#edits);
  }

  readonly #visit = (node: ts.Node): void => {
    if (isTypesAlone(node)) {
      // A statement before it that has no semicolon ends where it began.
      this.#blankNode(node, ';');
      return;
    }
    if (this.#rewriteEnum(node)) return;
    if (beyondTypes(node) !== undefined) throw new NotErasable();
    const before = this.#edits.length;
    this.#blankModifiers(node);
    this.#blankParts(node);
    this.#rewrite(node);
    const own = this.#edits.slice(before);
    const isGone = ({ end }: ts.Node): boolean => own.some((edit) => edit.start < end && end <= edit.end);
    ts.forEachChild(node, (child) => {
      if (!isGone(child)) this.#visit(child);
    });
  };

  #blankParts(node: ts.Node): void {
    if (ts.isFunctionLike(node)) this.#blankSignature(node);
    else if (ts.isClassLike(node)) this.#blankList(node.typeParameters);
    else if (ts.isHeritageClause(node)) {
      if (node.token === SyntaxKind.ImplementsKeyword) this.#blankNode(node);
    } else if (hasTypeArguments(node)) this.#blankList(node.typeArguments);
    else if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) this.#blankEnd(node);
    else if (ts.isNonNullExpression(node)) this.#blank(node.expression.end, node.end);
    else if (ts.isVariableDeclaration(node)) this.#blankAnnotation(node, node.exclamationToken);
    else if (ts.isParameter(node)) this.#blankAnnotation(node, node.questionToken);
    else if (ts.isPropertyDeclaration(node))
      this.#blankAnnotation(node, node.exclamationToken ?? node.questionToken);
    else if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) {
      if (node.isTypeOnly) this.#blankWithComma(node);
    }
  }

  /** Between the parameters of an arrow function and its arrow, and before its parameters, no line may break. */
  #blankSignature(node: ts.SignatureDeclaration): void {
    const { typeParameters, type, parameters } = node;
    const isArrow = ts.isArrowFunction(node);
    if (ts.isMethodDeclaration(node) && node.questionToken !== undefined) this.#blankNode(node.questionToken);
    if (isArrow && typeParameters !== undefined) this.#checkOneLine(typeParameters.pos, parameters.pos);
    this.#blankList(typeParameters);
    const [first] = parameters;
    if (first !== undefined && ts.isIdentifier(first.name) && first.name.text === 'this')
      this.#blankWithComma(first);
    if (type === undefined) return;
    const start = this.#endOf(SyntaxKind.CloseParenToken, parameters.end);
    if (isArrow) this.#checkOneLine(start, node.equalsGreaterThanToken.end);
    this.#blank(start, type.end);
  }

  /** `?: T`, `!: T`, `: T` */
  #blankAnnotation(
    { name, type }: ts.VariableDeclaration | ts.PropertyDeclaration | ts.ParameterDeclaration,
    mark: ts.Node | undefined,
  ): void {
    const end = (type ?? mark)?.end;
    if (end !== undefined) this.#blank(name.end, end);
  }

  /** `as T`: without it, what stands on the next line might be taken for more of the expression. */
  #blankEnd({ expression, end }: ts.AsExpression | ts.SatisfiesExpression): void {
    const [, next = ''] = /^\s*[\r\n]\s*(\S)/.exec(this.#text.slice(end)) ?? [];
    if (/[([`+\-*/,.<]/.test(next)) throw new NotErasable();
    this.#blank(expression.end, end);
  }

  /** A member whose modifiers are gone might run on from the line before. */
  #blankModifiers(node: ts.Node): void {
    const modifiers = ts.canHaveModifiers(node) ? (node.modifiers ?? []) : [];
    for (const [index, modifier] of modifiers.entries())
      if (MODIFIERS_OF_TYPES.has(modifier.kind))
        this.#blankNode(modifier, index === 0 && ts.isClassElement(node) ? ';' : '');
  }

  /** `<…>` */
  #blankList(list: ts.NodeArray<ts.Node> | undefined): void {
    if (list !== undefined) this.#blank(list.pos - 1, this.#endOf(SyntaxKind.GreaterThanToken, list.end));
  }

  #blankWithComma(node: ts.Node): void {
    this.#scanner.resetTokenState(node.end);
    const isComma = this.#scanner.scan() === SyntaxKind.CommaToken;
    this.#blank(node.getStart(this.#file), isComma ? this.#scanner.getTokenEnd() : node.end);
  }

  #blankNode(node: ts.Node, first = ''): void {
    this.#blank(node.getStart(this.#file), node.end, first);
  }

  #blank(start: number, end: number, first = ''): void {
    const blank = this.#text.slice(start + first.length, end).replace(/[^\r\n]/g, ' ');
    this.#edits.push({ start, end, text: first + blank });
  }

  #rewriteEnum(node: ts.Node): boolean {
    const edits = ts.isEnumDeclaration(node) ? enumEdits(node, this.#file) : undefined;
    this.#edits.push(...(edits ?? []));
    return edits !== undefined;
  }

  /** As `rewriteRelativeImportExtensions` does it. */
  #rewrite(node: ts.Node): void {
    const literal = specifierOf(node);
    if (literal === undefined || !/^\.{1,2}\//.test(literal.text)) return;
    const text = literal.text.replace(/(?<!\.d)\.([mc]?)tsx?$/, '.$1js');
    if (text !== literal.text)
      this.#edits.push({ start: literal.getStart(this.#file) + 1, end: literal.end - 1, text });
  }

  /** Where the next token of this kind from `at` on ends. */
  #endOf(kind: ts.SyntaxKind, at: number): number {
    this.#scanner.resetTokenState(at);
    while (this.#scanner.scan() !== kind);
    return this.#scanner.getTokenEnd();
  }

  #checkOneLine(start: number, end: number): void {
    if (/[\r\n]/.test(this.#text.slice(start, end))) throw new NotErasable();
  }
}

function hasTypeArguments(
  node: ts.Node,
): node is
  ts.CallExpression | ts.NewExpression | ts.TaggedTemplateExpression | ts.ExpressionWithTypeArguments {
  return (
    ts.isCallOrNewExpression(node) ||
    ts.isTaggedTemplateExpression(node) ||
    ts.isExpressionWithTypeArguments(node)
  );
}

function specifierOf(node: ts.Node): ts.StringLiteralLike | undefined {
  const given =
    ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
      ? node.moduleSpecifier
      : isImportCall(node)
        ? node.arguments[0]
        : undefined;
  return given !== undefined && ts.isStringLiteralLike(given) ? given : undefined;
}

/** Of a whole statement or member. */
function isTypesAlone(node: ts.Node): boolean {
  if (TYPES_ALONE.has(node.kind) || isDeclared(node)) return true;
  if (ts.isImportDeclaration(node)) return node.importClause?.phaseModifier === SyntaxKind.TypeKeyword;
  if (ts.isExportDeclaration(node) || ts.isImportEqualsDeclaration(node)) return node.isTypeOnly;
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isConstructorDeclaration(node))
    return node.body === undefined;
  return ts.isClassElement(node) && hasModifier(node, SyntaxKind.AbstractKeyword);
}
