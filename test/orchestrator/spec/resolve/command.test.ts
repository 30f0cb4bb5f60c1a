import { expect, it } from 'vitest';
import { argvOf } from '../../../../src/orchestrator/spec/resolve/command.ts';

it('only a line goes to a shell, a list of words does not', () => {
  expect(argvOf('echo $HOME > out')).toEqual(['/bin/sh', '-c', 'echo $HOME > out']);
  expect(argvOf(['echo', '$HOME', '> out'])).toEqual(['echo', '$HOME', '> out']);
});
