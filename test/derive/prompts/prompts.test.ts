import { expect, test } from 'vitest';
import { derive, operation, prompt, source } from '../support.ts';

test('a prompt as it is written', () => {
  const given = prompt('adopt', {
    title: 'Adopt a pet',
    description: '<p>Helps.</p>',
    arguments: [
      { name: 'kind', required: true, description: 'Which.', values: ['cat', 'dog'] },
      { name: 'name', required: false },
    ],
    messages: [{ role: 'user', text: 'A {{kind}} called {{ name }}.' }],
  });
  const { model, problems } = derive(source([given, operation('GET /pets')]));
  expect(model.prompts).toEqual([
    {
      name: 'adopt',
      title: 'Adopt a pet',
      description: 'Helps.',
      arguments: [{ name: 'kind', description: 'Which.', required: true }, { name: 'name' }],
      binding: { kind: 'template', messages: [{ role: 'user', text: 'A {{kind}} called {{name}}.' }] },
      origin: given.origin,
    },
  ]);
  expect(model.completions).toEqual([
    {
      ref: { kind: 'prompt', name: 'adopt' },
      argument: 'kind',
      from: { kind: 'values', values: ['cat', 'dog'] },
    },
  ]);
  expect(problems).toEqual([]);
});

test('names are cleaned, in the messages too', () => {
  const given = prompt('plan / trip', {
    arguments: [
      { name: 'the city', required: true },
      { name: '$&', required: false },
    ],
    messages: [{ role: 'user', text: 'To {{the city}}, {{$&}}.' }],
  });
  const { model, problems } = derive(source([given]));
  expect(model.prompts[0]).toMatchObject({
    name: 'plan_trip',
    title: 'Plan trip',
    arguments: [{ name: 'the_city' }, { name: 'value' }],
    binding: { messages: [{ text: 'To {{the_city}}, {{value}}.' }] },
  });
  expect(problems).toEqual(['name-cleaned', 'argument-renamed', 'argument-renamed']);
});

test('arguments that become the same are numbered', () => {
  const given = prompt('p', {
    arguments: [
      { name: 'a b', required: true },
      { name: 'a/b', required: true },
    ],
  });
  expect(derive(source([given])).model.prompts[0]?.arguments?.map(({ name }) => name)).toEqual([
    'a_b',
    'a_b_2',
  ]);
});

test('prompts of one name are told apart by what they say', () => {
  const given = [prompt('p'), prompt('p', { messages: [{ role: 'user', text: 'Other.' }] })];
  const names = derive(source(given)).model.prompts.map(({ name }) => name);
  expect(names).toEqual([expect.stringMatching(/^p_[0-9a-f]{8}$/), expect.stringMatching(/^p_[0-9a-f]{8}$/)]);
  expect(derive(source(given.toReversed())).model.prompts.map(({ name }) => name)).toEqual(
    names.toReversed(),
  );
});

test('a placeholder that is no argument is left', () => {
  const { model } = derive(source([prompt('p', { messages: [{ role: 'user', text: 'A {{ghost}}.' }] })]));
  expect(model.prompts[0]?.binding).toMatchObject({ messages: [{ text: 'A {{ghost}}.' }] });
});

test('prompts alone need no upstream', () => {
  expect(derive(source([prompt('p')])).model).not.toHaveProperty('upstream');
});
