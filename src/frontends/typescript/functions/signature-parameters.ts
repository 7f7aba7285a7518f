/**
 * Lists the parameters of a call. A rest parameter with a tuple type is expanded, since wrapped functions are typed
 * so.
 */
import { ts } from 'ts-morph';
import { mayBeUndefined } from '../schema/absence.ts';
import { standardType } from '../schema/open-type.ts';
import { type Declared, isDeclared, isPattern, mayBeAbsent, takesRest } from './declared-parameter.ts';

export interface SignatureParameter {
  /** The parameter's name; for an element of a tuple its label. */
  name: string;
  type: ts.Type;
  declaration: Declared | undefined;
  isOptional: boolean;
  /** The parameter takes all remaining arguments. `type` is that of the list, or of its items. */
  rest?: 'list' | 'items';
}

export function signatureParameters(
  { parameters }: Pick<ts.Signature, 'parameters'>,
  checker: ts.TypeChecker,
): SignatureParameter[] {
  return parameters.flatMap((symbol) => {
    const parameter = makeParameter(symbol, checker);
    return (parameter.rest === undefined ? undefined : expandTuple(parameter, checker)) ?? [parameter];
  });
}

function makeParameter(symbol: ts.Symbol, checker: ts.TypeChecker): SignatureParameter {
  const { name, valueDeclaration } = symbol;
  const declaration = valueDeclaration && isDeclared(valueDeclaration) ? valueDeclaration : undefined;
  const type = checker.getTypeOfSymbol(symbol);
  const isOptional = mayBeUndefined(type) || (declaration !== undefined && mayBeAbsent(declaration, checker));
  const isRest = declaration !== undefined && takesRest(declaration);
  return { name, type, declaration, isOptional, ...(isRest ? { rest: 'list' } : {}) };
}

/** Undefined for a list, and for a tuple with elements after its rest, which have no names. */
function expandTuple(
  parameter: SignatureParameter,
  checker: ts.TypeChecker,
): SignatureParameter[] | undefined {
  const type = standardType(parameter.type, checker);
  if (!checker.isTupleType(type)) return undefined;
  const tuple = type as ts.TupleTypeReference;
  const { elementFlags, labeledElementDeclarations: labels } = tuple.target;
  const rest = elementFlags.findIndex((flags) => (flags & ts.ElementFlags.Variable) !== 0);
  if (rest !== -1 && rest < elementFlags.length - 1) return undefined;
  const types = checker.getTypeArguments(tuple);
  return elementFlags.map((flags, index): SignatureParameter => {
    const declaration = labels?.[index];
    const element = types[index] ?? checker.getUndefinedType();
    return {
      name: findName(declaration) ?? `${parameter.name}_${index}`,
      type: element,
      declaration,
      isOptional: (flags & ts.ElementFlags.Required) === 0 || mayBeUndefined(element),
      ...(index === rest ? { rest: (flags & ts.ElementFlags.Variadic) === 0 ? 'items' : 'list' } : {}),
    };
  });
}

function findName(declaration: Declared | undefined): string | undefined {
  if (declaration === undefined || isPattern(declaration)) return undefined;
  return declaration.name.getText();
}
