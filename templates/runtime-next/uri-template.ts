// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** URI templates (RFC 6570) of plain variables, `{id}`, as the compiler makes them. Others are a feature. */
import { MAX_URI } from './json-rpc.ts';

/** The decoded values, or undefined if the template can't make the URI. A value never holds `/`, `?` or `#`. */
export function matchTemplate(template: string, uri: string): Record<string, string> | undefined {
  if (uri.length > MAX_URI) return undefined;
  const [whole, ...texts] = compileTemplate(template).exec(uri) ?? [];
  if (whole === undefined) return undefined;
  // Without prototype: variables may be called `__proto__`.
  const values = Object.create(null) as Record<string, string>;
  try {
    for (const [index, [, name = '']] of [...template.matchAll(/\{(\w+)\}/g)].entries()) {
      const value = decodeURIComponent(texts[index] ?? '');
      // A dot segment would leave the place that the template describes (RFC 3986, section 5.2.4); Java servers take `..;x` too.
      if (/(?:^|[/\\])\.{1,2}(?:$|[/\\;])/.test(value)) return undefined;
      // Repeated variables must agree.
      if ((values[name] ?? value) !== value) return undefined;
      values[name] = value;
    }
  } catch {
    return undefined;
  }
  return values;
}

/** Each variable stops at the character behind it, so that no expression goes back twice over one text. */
function compileTemplate(template: string): RegExp {
  const source = template.split(/\{\w+\}/).map((part, index) => {
    const text = part.replace(/[\\^$.*+?()[\]|/{}-]/g, '\\$&');
    return index === 0 ? text : `([^/?#${(part[0] ?? '').replace(/[\\\]^-]/, '\\$&')}]+)${text}`;
  });
  return new RegExp(`^${source.join('')}$`);
}
