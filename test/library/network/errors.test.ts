import { expect, it } from 'vitest';
import {
  DevnetError,
  NameTakenError,
  PrerequisiteError,
  SpecError,
  TimeoutError,
  translate,
  UsageError,
} from '../../../src/library/network/errors.ts';
import { tellingIo } from '../../../src/orchestrator/devnet/told-commands.ts';
import { EXIT, Failure } from '../../../src/system/failure.ts';

const problem = { file: 'spec', line: 2, column: 3, path: 'chains', message: 'unknown key' };

it.each([
  ['a wrong spec', new Failure('spec', 'bad', { exit: EXIT.usage, data: { problems: [problem] } }), SpecError],
  ['a wrong scenario', new Failure('scenario', 'bad', { exit: EXIT.usage }), SpecError],
  ['a transaction in no block', new Failure('receipt', 'none', { exit: EXIT.notReady }), TimeoutError],
  ['a condition that comes late', new Failure('late', 'not within 1 s', { exit: EXIT.failed }), TimeoutError],
  ['an unknown node', new Failure('target', 'no node', { exit: EXIT.usage, hint: 'one of a, b' }), UsageError],
  ['a missing program', new Failure('spawn', 'no geth', { exit: EXIT.lacking }), PrerequisiteError],
  ['a name in use', new Failure('name', 'up', { exit: EXIT.alreadyUp }), NameTakenError],
  ['a reverted deposit', new Failure('deposit', 'reverted'), DevnetError],
])('%s becomes an error of its class, with message, hint and data', (_, failure, expected) => {
  const error = translate({}, failure);
  expect(error).toBeInstanceOf(expected);
  expect(error).toMatchObject({ name: expected.name, message: failure.message, cause: failure });
  expect(error).toHaveProperty('hint', failure.hint);
  expect(error).toHaveProperty('code', failure.code === 'scenario' ? 'spec' : failure.code);
});

it('a wrong spec lists its problems', () => {
  const error = translate({}, new Failure('spec', 'bad', { data: { problems: [problem] } }));
  expect(error).toMatchObject({ problems: [problem], data: { problems: [problem] } });
});

it('the commands in an error are those of its network and installation', () => {
  const { runnable } = tellingIo(
    {
      ...{ stdout: () => undefined, stderr: () => undefined, env: { DEVNET_HOME: '/nowhere', DEVNET_NAME: 'other' } },
      ...{ cwd: '/', isTty: false, program: 'npx devnet' },
    },
    'mine',
  );
  const failure = new Failure('control', 'see `devnet logs`', { hint: 'run `devnet start mine`, or `devnet ls`' });
  expect(translate({ runnable }, failure)).toMatchObject({
    message: 'see `npx devnet logs --name mine`',
    hint: 'run `npx devnet start mine`, or `npx devnet ls`',
  });
});

it('an error that is no failure passes unchanged', () => {
  const error = new TypeError('planted');
  expect(translate({}, error)).toBe(error);
});
