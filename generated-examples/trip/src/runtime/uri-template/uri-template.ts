/** A URI template (RFC 6570) as its parts. */

/** The operators of RFC 6570, section 2.2; `''` is simple expansion. */
export type Operator = '' | '+' | '#' | '.' | '/' | ';' | '?' | '&';

/** One variable of an expression (section 2.3), with its modifier (section 2.4). */
export interface VariableSpec {
  name: string;
  /** `*` */
  explode?: true;
  /** `:n`: the first n characters, 1 to 9,999. */
  prefix?: number;
}

export interface Expression {
  operator: Operator;
  variables: VariableSpec[];
}

/** Text between expressions, percent-encoded where a URI demands it. */
export interface Literal {
  literal: string;
}

export type UriTemplate = (Literal | Expression)[];

/** How an operator writes its values (RFC 6570, appendix A). */
export interface OperatorRule {
  /** Before the first value. */
  first: string;
  /** Between values. */
  separator: string;
  /** Values are written as `name=value`. */
  named: boolean;
  /** After a name whose value is empty. */
  ifEmpty: string;
  /** Reserved characters and percent-encoded triplets stay as they are. */
  allowReserved: boolean;
}

export const operatorRules: Readonly<Record<Operator, OperatorRule>> = {
  '': { first: '', separator: ',', named: false, ifEmpty: '', allowReserved: false },
  '+': { first: '', separator: ',', named: false, ifEmpty: '', allowReserved: true },
  '#': { first: '#', separator: ',', named: false, ifEmpty: '', allowReserved: true },
  '.': { first: '.', separator: '.', named: false, ifEmpty: '', allowReserved: false },
  '/': { first: '/', separator: '/', named: false, ifEmpty: '', allowReserved: false },
  ';': { first: ';', separator: ';', named: true, ifEmpty: '', allowReserved: false },
  '?': { first: '?', separator: '&', named: true, ifEmpty: '=', allowReserved: false },
  '&': { first: '&', separator: '&', named: true, ifEmpty: '=', allowReserved: false },
};

/** A template that RFC 6570 does not allow, or a value that it cannot expand. */
export class UriTemplateError extends Error {
  override readonly name = 'UriTemplateError';
}
