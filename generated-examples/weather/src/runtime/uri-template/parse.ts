import { encodeReserved } from './percent.ts';
import {
  type Expression,
  type Operator,
  operatorRules,
  type UriTemplate,
  UriTemplateError,
  type VariableSpec,
} from './uri-template.ts';

/** RFC 6570, section 2.3: letters, digits, `_` and triplets, joined by single dots. */
const variableName = /^(?:\w|%[0-9A-Fa-f]{2})+(?:\.(?:\w|%[0-9A-Fa-f]{2})+)*$/;

/**
 * Reads a template. In the text between expressions, characters that no URI may hold are percent-encoded rather
 * than refused.
 *
 * @throws UriTemplateError on unbalanced braces, an unknown or reserved operator, a bad name or modifier.
 */
export function parseUriTemplate(template: string): UriTemplate {
  const parts: UriTemplate = [];
  let position = 0;
  while (position < template.length) {
    const open = template.indexOf('{', position);
    const literal = template.slice(position, open === -1 ? undefined : open);
    if (literal.includes('}')) throw new UriTemplateError(`"}" without "{" in ${template}`);
    if (literal !== '') parts.push({ literal: encodeReserved(literal) });
    if (open === -1) break;
    const close = template.indexOf('}', open);
    if (close === -1) throw new UriTemplateError(`"{" without "}" in ${template}`);
    parts.push(parseExpression(template.slice(open + 1, close)));
    position = close + 1;
  }
  return parts;
}

function parseExpression(text: string): Expression {
  const first = text.charAt(0);
  const operator = isOperator(first) ? first : '';
  const variables = text
    .slice(operator.length)
    .split(',')
    .map((spec) => parseVariable(spec, text));
  return { operator, variables };
}

function isOperator(character: string): character is Operator {
  return Object.hasOwn(operatorRules, character);
}

function parseVariable(spec: string, expression: string): VariableSpec {
  const [, name = '', modifier] = /^([^:*]*)(\*|:[1-9][0-9]{0,3})?$/.exec(spec) ?? [];
  if (!variableName.test(name)) {
    throw new UriTemplateError(`{${expression}} is not an expression of RFC 6570`);
  }
  if (modifier === undefined) return { name };
  return modifier === '*' ? { name, explode: true } : { name, prefix: Number(modifier.slice(1)) };
}
