import { createDiagnostic, DiagnosticError } from '../diagnostics/collector.ts';
import { findReservedHelperName } from '../emit/index.ts';
import type { UserHelpers } from '../emit/index.ts';
import type { TemplateHelper, TemplateHelpers } from '../model/user-code.ts';
import { recordCodeStart } from '../diagnostics/running-code.ts';
import type { LoadedCode } from './user-code.ts';

/** Wraps helpers for templates. Throws `DiagnosticError` if one has the name of a built-in. */
export function wrapTemplateHelpers({ functions, file, placeOf }: LoadedCode<TemplateHelpers>): UserHelpers {
  const helper = findReservedHelperName(Object.keys(functions));
  if (helper !== undefined) {
    const problem = `the helper ${helper} has the name of a built-in helper, so templates with that one would break`;
    throw new DiagnosticError(createDiagnostic('user-code-unusable', { member: 'helpers', file, problem }));
  }
  return {
    functions: Object.fromEntries(
      Object.entries(functions).map(([name, helper]) => [
        name,
        wrapHelperUnderName(`the helper ${name} of ${file}`, helper),
      ]),
    ),
    placeOf: (thrown) => {
      const place = placeOf(thrown);
      return place && `${place.file}:${place.line}:${place.column}`;
    },
  };
}

function wrapHelperUnderName(name: string, helper: TemplateHelper): TemplateHelper {
  return (...parameters) => {
    const end = recordCodeStart(name);
    try {
      return helper(...parameters);
    } finally {
      end();
    }
  };
}
