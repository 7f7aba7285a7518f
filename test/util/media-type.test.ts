import { expect, test } from 'vitest';
import { isJsonType, isSequentialType } from '../../src/util/http-syntax.ts';

test.each([
  ['application/json', true],
  ['Application/JSON; charset=utf-8', true],
  ['application/x-json', true],
  ['application/problem+json', true],
  ['application/json-patch+json', true],
  ['application/jsonl', false],
  ['application/json-seq', false],
  ['application/+json', false],
  ['json', false],
  ['', false],
])('%s is JSON: %s', (mediaType, want) => {
  expect(isJsonType(mediaType)).toBe(want);
});

test.each([
  ['text/event-stream', true],
  ['application/x-ndjson', true],
  ['application/stream+json', true],
  ['application/json;stream=watch', true],
  ['application/vnd.kubernetes.protobuf;stream=watch', false],
  ['application/json', false],
  ['application/problem+json', false],
])('%s is a sequence: %s', (mediaType, want) => {
  expect(isSequentialType(mediaType)).toBe(want);
});
