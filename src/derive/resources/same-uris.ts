import { operatorRules } from '../../../templates/runtime/uri-template/uri-template.ts';
import { type Expression, parseUriTemplate } from '../../../templates/runtime/uri-template/index.ts';

/**
 * The same text for templates that read the same URIs. A name counts where the URI has it (`{?page}`), and where it stands
 * a second time.
 *
 * @throws {UriTemplateError} when it is none
 */
export function urisOf(template: string): string {
  const numbers = new Map<string, number>();
  const toNumber = (name: string): number => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  };
  const written = ({ operator, variables }: Expression): unknown => {
    const { named } = operatorRules[operator];
    return [
      operator,
      ...variables.map(({ name, ...how }) => ({ ...how, name: named ? name : toNumber(name) })),
    ];
  };
  return JSON.stringify(
    parseUriTemplate(template).map((part) => ('literal' in part ? part.literal : written(part))),
  );
}
