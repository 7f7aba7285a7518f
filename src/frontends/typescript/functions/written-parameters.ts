import { ts } from 'ts-morph';
import type { Tagged } from './tagged.ts';

/** The function's own parameters if its type is declared elsewhere: `const f: F = (days = 3) => …`. */
export function writtenParameters({
  symbol,
  signature,
}: Pick<Tagged, 'symbol' | 'signature'>): readonly ts.ParameterDeclaration[] {
  const held = heldFunction(symbol.valueDeclaration);
  if (held === undefined || held === signature.declaration) return [];
  return held.parameters.filter(({ name }) => !ts.isIdentifier(name) || name.text !== 'this');
}

function heldFunction(
  declaration: ts.Declaration | undefined,
): ts.FunctionExpression | ts.ArrowFunction | undefined {
  if (declaration === undefined || !('initializer' in declaration)) return undefined;
  let { initializer: held } = declaration as ts.VariableDeclaration | ts.PropertyDeclaration;
  while (
    held !== undefined &&
    (ts.isParenthesizedExpression(held) || ts.isAsExpression(held) || ts.isSatisfiesExpression(held))
  )
    held = held.expression;
  return held !== undefined && (ts.isFunctionExpression(held) || ts.isArrowFunction(held)) ? held : undefined;
}
