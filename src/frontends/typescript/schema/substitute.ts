import { ts } from 'ts-morph';

/** The checker's mapper of type parameters: a function is the fourth kind that it knows. */
interface Mapper {
  kind: 3;
  func: (parameter: ts.Type) => ts.Type;
}

/** The checker's instance of a signature. */
interface Instance {
  target: { resolvedReturnType: ts.Type };
  mapper: object;
}

/** An instance of an object type keeps its mapper. */
interface MadeType extends ts.Type {
  mapper?: object;
}

/**
 * Replaces the type parameters of a type, at any depth. The checker's interface has no substitution, but it computes
 * one for each call of a generic function: the return type. So this asks for that of a signature which returns the
 * type.
 */
export function substitute(
  type: ts.Type,
  replace: (parameter: ts.Type) => ts.Type,
  checker: ts.TypeChecker,
): ts.Type {
  const func = (parameter: ts.Type): ts.Type => (isDeclaredOpen(parameter) ? replace(parameter) : parameter);
  const mapper: Mapper = { kind: 3, func };
  return instantiate(type, mapper, checker);
}

export function madeWith(parameter: ts.Type, { mapper }: MadeType, checker: ts.TypeChecker): ts.Type {
  return mapper === undefined ? parameter : instantiate(parameter, mapper, checker);
}

function instantiate(type: ts.Type, mapper: object, checker: ts.TypeChecker): ts.Type {
  const instance: Instance = { target: { resolvedReturnType: type }, mapper };
  return checker.getReturnTypeOfSignature(instance as unknown as ts.Signature);
}

/** A parameter of a function, a class or an alias. `P in K` and `infer P` are resolved by their own type. */
function isDeclaredOpen({ flags, symbol }: ts.Type): boolean {
  if ((flags & ts.TypeFlags.TypeParameter) === 0) return false;
  const [declaration] = symbol.declarations ?? [];
  return (
    declaration === undefined ||
    !(ts.isMappedTypeNode(declaration.parent) || ts.isInferTypeNode(declaration.parent))
  );
}
