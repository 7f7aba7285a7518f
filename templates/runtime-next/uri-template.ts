// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** URI templates (RFC 6570) of plain variables, `{id}`, as the compiler makes them. Others are a feature. */
import { MAX_URI } from './json-rpc.ts';

const expressions = new Map<string, { expression: RegExp; names: string[] }>();

/** The decoded values, or undefined if the template can't make the URI. A value never holds `/`, `?` or `#`. */
export function matchTemplate(template: string, uri: string): Record<string, string> | undefined {
  if (uri.length > MAX_URI) return undefined;
  let compiled = expressions.get(template);
  if (compiled === undefined) expressions.set(template, (compiled = compileTemplate(template)));
  const match = compiled.expression.exec(uri);
  if (match === null) return undefined;
  // Without prototype: variables may be called `__proto__`.
  const values = Object.create(null) as Record<string, string>;
  for (const [index, name] of compiled.names.entries()) {
    const value = percentDecode(match[index + 1] ?? '');
    // A dot segment would leave the place that the template describes (RFC 3986, section 5.2.4); Java servers take `..;x` too.
    if (value === undefined || value.split(/[/\\]/).some((segment) => /^\.{1,2}(?:$|;)/.test(segment)))
      return undefined;
    // Repeated variables must agree.
    if (values[name] !== undefined && values[name] !== value) return undefined;
    values[name] = value;
  }
  return values;
}

/** Each variable stops at the character behind it, so that no expression goes back twice over one text. */
function compileTemplate(template: string): { expression: RegExp; names: string[] } {
  const parts = template.split(/\{(\w+)\}/);
  const names = parts.filter((_, index) => index % 2 === 1);
  const source = parts.map((part, index) => {
    if (index % 2 === 0) return part.replace(/[\\^$.*+?()[\]|/{}-]/g, '\\$&');
    const next = parts[index + 1]?.[0] ?? '';
    return `([^/?#${next.replace(/[\\\]^-]/g, '\\$&')}]+)`;
  });
  return { expression: new RegExp(`^${source.join('')}$`), names };
}

function percentDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
