// Arguments are refused in one form, whether their schema finds it or the type that they are to become.
import { expect, test } from 'vitest';
import { ALL, inEach, plain, speaking } from './rules/speaking.ts';
import { subject } from './rules/subject.ts';

test.each(
  inEach<[object, string]>(ALL, [
    [{ day: 'x' }, '- `day` must be a date such as 2026-01-31'],
    [{ day: '2024-02-31' }, '- `day` must be a date such as 2026-01-31'],
    [{ day: true }, '- `day` must be a string but is true'],
    [{ day: 5 }, '- `day` must be a date such as 2026-01-31'],
    [{ lines: [{ at: '2024-02-31' }] }, '- `lines[0].at` must be a date such as 2026-01-31'],
    [
      { day: 'x', lines: [{ at: '2024-02-31' }, { at: '2024-01-31' }, { at: 'y', secret: 1 }] },
      '- `day` must be a date such as 2026-01-31\n' +
        '- `lines[0].at` must be a date such as 2026-01-31\n' +
        '- `lines[2].secret` is not a known property\n' +
        '- `lines[2].at` must be a date such as 2026-01-31',
    ],
  ]),
)('%s: %j', async (revision, args, line) => {
  let runs = 0;
  const date = { kind: 'date', form: 'date' } as const;
  const item = { kind: 'object' as const, properties: { at: date }, without: ['secret'] };
  const lines = { kind: 'array' as const, items: item };
  const { put } = await speaking(
    revision,
    subject(undefined, {
      catalog: {
        tools: [
          {
            name: 'f',
            inputSchema: {
              type: 'object',
              properties: { day: { type: 'string' }, lines: { type: 'array' } },
            },
          },
        ],
      },
      bindings: {
        tools: {
          f: {
            do: {
              kind: 'function',
              module: 'app/a.ts',
              export: 'f',
              parameters: ['day', 'lines'],
              argumentCodec: { kind: 'object', properties: { day: date, lines } },
            },
          },
        },
      },
      functions: {
        modules: { 'app/a.ts': () => Promise.resolve({ f: () => (runs += 1) }) },
      },
    }),
  );
  const { result, error } = await put('tools/call', { name: 'f', arguments: args });
  const words = `The arguments of f do not match its input schema:\n${line}`;
  if (revision < '2025-11-25') expect(error).toEqual({ code: -32602, message: words });
  else expect(plain(result)).toEqual({ content: [{ type: 'text', text: words }], isError: true });
  expect(runs).toBe(0);
});
