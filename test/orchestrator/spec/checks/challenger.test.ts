import { describe, expect, it } from 'vitest';
import { roleAccounts } from '../../../../src/protocol/genesis/index.ts';
import { parse, parseValidSpec } from '../../package.ts';
import { contracts } from '../../plan/planned.ts';
import { problemsOf, waysOutOf } from './problems.ts';

const PATH = 'chains.main.proposer';
const spec = (keys: string) => `l1: { blockTime: 2 }\nchains: { main: { proposer: { ${keys} } } }`;
const rolesOf = (chainId: number) => roleAccounts(chainId, contracts);
const roles = rolesOf(901);

describe('a challenger', () => {
  it('gives games a clock of six blocks of L1 when the spec names none', () => {
    const clockOf = (keys: string) => parseValidSpec(spec(keys)).spec.chains['main']?.proposer?.gameClock;
    expect(clockOf('system: dispute-games, challenger: {}')).toBe(12);
    expect(clockOf('system: dispute-games')).toBe(1);
    expect(clockOf('system: dispute-games, gameClock: 7, challenger: challenger')).toBe(7);
  });

  it.each([
    ['challenger: {}', `2:31 ${PATH}.challenger: outputs of the system output-oracle are not challenged`],
    [
      'system: dispute-games, gameClock: 5, challenger: {}',
      `2:65 ${PATH}.gameClock: a clock of 5 s is over before a challenger answers`,
    ],
    [
      `system: dispute-games, challenger: { key: "${roles.proposer.privateKey}" }`,
      `2:73 ${PATH}.challenger.key: this is the key of the proposer of the chain`,
    ],
    [
      `system: dispute-games, challenger: { key: "${roles.batcher.privateKey}" }`,
      `2:73 ${PATH}.challenger.key: this is the key of the batcher of the chain`,
    ],
    [
      'system: dispute-games, challenger: proposer',
      `2:66 ${PATH}.challenger.client: proposer is a client of the kind proposer, not challenger`,
    ],
  ])('%s is refused at its place', (keys, problem) => {
    const found = problemsOf(spec(keys), { rolesOf });
    expect(found.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`)).toEqual([problem]);
  });

  it.each([
    ['challenger: {}', `value ${PATH}.challenger: with system: dispute-games`],
    ['system: dispute-games, gameClock: 5, challenger: {}', `value ${PATH}.gameClock: at least 6: 3 blocks of L1`],
    [
      `system: dispute-games, challenger: { key: "${roles.owner.privateKey}" }`,
      `value ${PATH}.challenger.key: a key of an account of its own`,
    ],
  ])('%s has a way out', (keys, way) => {
    expect(waysOutOf(spec(keys), { rolesOf })).toEqual([way]);
  });

  it('has three blocks of L1 for its answer, and no less', () => {
    expect(problemsOf(spec('system: dispute-games, gameClock: 6, challenger: {}'))).toEqual([]);
  });

  it.each([
    ['{ system: dispute-game, challenger: {} }', 2, `value ${PATH}.system`],
    ['{ system: dispute-games, gameClock: 5, challenger: {} }', 'x', 'type l1.blockTime'],
  ])('of the proposer %s with L1 blocks of %s s has no fault beside that of another key', (proposer, time, fault) => {
    const text = `l1: { blockTime: ${time} }\nchains: { main: { proposer: ${proposer} } }`;
    expect(problemsOf(text).map(({ code, path }) => `${code} ${path}`)).toEqual([fault]);
  });

  it('is absent when the chain has no proposer', () => {
    expect(problemsOf('chains: { main: { proposer: false } }')).toEqual([]);
  });

  it('takes its own key, and one of another account', () => {
    for (const key of [roles.challenger.privateKey, `0x${'12'.repeat(32)}`])
      expect(parse(spec(`system: dispute-games, challenger: { key: "${key}" }`), { rolesOf }).ok).toBe(true);
  });

  it('has a port that no other process of the spec has', () => {
    const text = spec('system: dispute-games, ports: { rpc: 9000 }, challenger: { ports: { rpc: 9000 } }');
    expect(problemsOf(text)).toMatchObject([{ code: 'duplicate', path: `${PATH}.challenger.ports.rpc` }]);
  });
});
