import { expect, test } from 'vitest';
import { DiagnosticCollector } from '../../src/diagnostics/collector.ts';
import { deriveServer } from '../../src/derive/index.ts';
import { ModelError } from '../../src/model/assert-model.ts';
import { derive, operation, prompt, source } from './support.ts';

const impossible = prompt('empty', { messages: [] });

test('a model that breaks an invariant is a bug of ours, and never given', () => {
  expect(() => deriveServer([{ source: source([impossible]) }], {}, new DiagnosticCollector())).toThrow(
    ModelError,
  );
});

test('after an error of the source nothing is judged: the model is not used', () => {
  const given = source([operation('GET /x'), impossible]);
  expect(derive(given, { include: ['no selector'] }).problems).toEqual(['bad-selector']);
});
