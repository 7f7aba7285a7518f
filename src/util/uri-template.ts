/** URI templates (RFC 6570) of resources. */

const VARIABLE = /^(?:\w|%[\dA-F]{2})+(?:\.(?:\w|%[\dA-F]{2})+)*(?:\*|:[1-9]\d{0,3})?$/i;

/** Says what is wrong with a template, in words that follow a colon. */
export function findTemplateFault(template: string): string | undefined {
  for (const [text, expression] of template.matchAll(/\{([^}]*)\}|[{}]/g)) {
    if (text === '}') return `"}" without "{" in ${template}`;
    if (expression === undefined) return `"{" without "}" in ${template}`;
    if (!listSpecs(expression).every((spec) => VARIABLE.test(spec)))
      return `${text} is not an expression of RFC 6570`;
  }
  return undefined;
}

/** Lists the names in a template's expressions, each once. */
export function listTemplateVariables(template: string): string[] {
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].flatMap(([, expression = '']) =>
    listSpecs(expression).map((spec) => spec.replace(/\*$|:\d+$/, '')),
  );
  return [...new Set(names)];
}

/** A variable and its modifier, without the operator in front. */
function listSpecs(expression: string): string[] {
  return expression.replace(/^[+#./;?&]/, '').split(',');
}

/** Whether the core reads it: at most one variable in a segment, none twice, and no operator. */
export function isPlainTemplate(template: string): boolean {
  const expressions = template.match(/\{/g) ?? [];
  const isPlain = /^(?:[^{}]|\{\w+\}(?=[^{}/?#]*(?:[/?#]|$)))*$/.test(template);
  return isPlain && listTemplateVariables(template).length === expressions.length;
}
