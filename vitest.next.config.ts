/**
 * The tables of `test/runtime` on `templates/runtime-next`: the files of which every row passes there. The others follow with the
 * features that their rows are about.
 */
import { mergeConfig } from 'vitest/config';
import config from './vitest.config.ts';

export default mergeConfig(
  { ...config, test: { ...config.test, include: [] } },
  {
    test: {
      env: { MCPGEN_RUNTIME: 'next' },
      include: [
        'test/runtime/core/{context,lists,messages,prompts}.test.ts',
        'test/runtime/rules/rule-02-codes.test.ts',
        'test/runtime/schema/{differential,keywords}.test.ts',
        'test/runtime/transports/http-heads.test.ts',
      ],
    },
  },
);
