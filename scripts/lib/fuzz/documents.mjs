import fc from 'fast-check';
import { jsonWith, textOf, words } from './texts.mjs';

const names = [
  ...words(`
    openapi swagger info title version paths servers url variables default /a/{b} get post parameters name
    in schema content application/json
  `),
  ...words(`
    responses 200 requestBody security components schemas securitySchemes properties items type allOf oneOf
    enum pattern example examples operationId tags
  `),
  ...words(`
    x-mcp x-mcp-prompts description required style explode discriminator mapping encoding links headers
    definitions flows scheme A
  `),
];
const texts = words(`
  3.1.0 3.0.3 2.0 b path query header object string array #/components/schemas/A #/components/schemas #
  apiKey http oauth2 https://a.example (a+)+ form deepObject false
`);

/** Every document ends in a model that can be emitted, or in an error that is told. */
export async function documents(load) {
  const { compile } = await load('src/api/compile');
  const any = jsonWith(names, texts);
  const document = fc
    .record(
      {
        openapi: fc.constantFrom('3.1.0', '3.0.3', '3.2.0'),
        info: fc.oneof(fc.constant({ title: 'T', version: '1' }), any),
        servers: fc.oneof(fc.constant([{ url: 'https://a.example' }]), any),
        paths: fc.oneof(
          fc.record({
            '/a/{b}': fc.oneof(
              any,
              fc.record(
                {
                  parameters: fc.array(any, { maxLength: 2 }),
                  get: any,
                  post: fc.record(
                    { requestBody: any, responses: any, parameters: any, security: any },
                    { requiredKeys: [] },
                  ),
                },
                { requiredKeys: [] },
              ),
            ),
          }),
          any,
        ),
        components: fc.oneof(fc.record({ schemas: fc.record({ A: any }), securitySchemes: any }), any),
        'x-mcp': any,
        'x-mcp-prompts': any,
      },
      { requiredKeys: ['openapi'] },
    )
    .map((value) => JSON.stringify(value));
  const yaml = textOf([
    ...words('*a " { } [ ] #'),
    'openapi: 3.1.0\n',
    'paths:\n',
    '  /a:\n',
    '    get: {}\n',
    '&a ',
    '<<: ',
    '- ',
    '? ',
    '!!str ',
    '|\n',
    "'",
    ': ',
    '\t',
    '---\n',
    '%YAML 1.2\n',
  ]);
  return fc.asyncProperty(fc.oneof({ weight: 4, arbitrary: document }, yaml), async (text) => {
    const { ok, model, diagnostics } = await compile({
      source: '-',
      stdin: () => Promise.resolve(Buffer.from(text)),
    });
    const isTold = diagnostics.some(({ severity }) => severity === 'error');
    if (ok !== (model !== undefined) || ok === isTold) throw new Error('neither a model nor an error');
    JSON.stringify(model);
    if ({}.polluted !== undefined) throw new Error('polluted');
  });
}
