import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';
import { ownMembersRule } from './scripts/lib/own-members-rule.mjs';

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'coverage/',
      'examples/',
      'generated-examples/',
      'fixtures/typescript/',
      'fixtures/mixed/',
      'fixtures/everything/',
    ],
  },
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/cli/**'],
    rules: {
      'no-console': 'error',
      'no-restricted-globals': ['error', { name: 'process', message: 'Only src/cli touches the process.' }],
    },
  },
  {
    files: ['src/**/*.ts', 'templates/runtime/**/*.ts'],
    plugins: { mcpgen: { rules: { 'own-members': ownMembersRule } } },
    rules: { 'mcpgen/own-members': 'error' },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression[callee.property.name='toMatchObject'] :matches(Property, ArrayExpression) > Literal[regex]",
          message: 'toMatchObject takes any text for a regular expression: use expect.stringMatching.',
        },
      ],
    },
  },
  {
    rules: { 'no-control-regex': 'off', eqeqeq: 'error', 'no-eval': 'error', 'no-new-func': 'error' },
  },
  prettier,
);
