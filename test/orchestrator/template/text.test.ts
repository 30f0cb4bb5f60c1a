import { describe, expect, it } from 'vitest';
import { insteadOf, isReference, isSecret } from '../../../src/orchestrator/template/references.ts';
import {
  isOn,
  parseText,
  referencesIn,
  renderArguments,
  renderWords,
} from '../../../src/orchestrator/template/text.ts';

const values = { 'l1.chainId': 7, 'l1.engine': undefined, devnet: 'x' } as const;

describe('a text', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['${devnet}', [{ reference: 'devnet' }]],
    ['a${ devnet }${task}b', ['a', { reference: 'devnet' }, { reference: 'task' }, 'b']],
    ['$${devnet}', ['${devnet}']],
    ['a$${b${task}', ['a${b', { reference: 'task' }]],
    ['$a {b} ${c', ['$a {b} ${c']],
  ])('"%s" splits at its references', (text, parts) => {
    expect(parseText(text)).toEqual({ parts });
    expect(referencesIn(parseText(text))).toEqual(
      parts.flatMap((part) => (typeof part === 'string' ? [] : [part.reference])),
    );
  });
});

it('rendered arguments keep the type of values, and are null when their value is absent', () => {
  expect(
    renderArguments(
      {
        number: 5,
        on: true,
        none: null,
        id: parseText('${l1.chainId}'),
        joined: parseText('${l1.chainId}${devnet}'),
        absent: parseText('${l1.engine}'),
        list: [parseText('${l1.chainId}'), parseText('${l1.engine}'), parseText('y')],
      },
      values,
    ),
  ).toEqual({ number: 5, on: true, none: null, id: 7, joined: '7x', absent: null, list: ['7', 'y'] });
});

it('rendered words leave out those whose value is absent', () => {
  expect(renderWords(['a', 'b${l1.engine}', '${l1.chainId}'].map(parseText), values)).toEqual(['a', '7']);
});

it.each([
  [true, true],
  ['true', true],
  ['', true],
  [0, true],
  [false, false],
  ['false', false],
  [null, false],
])('a switch with the value %s is on: %s', (value, on) => {
  expect(isOn({ http: value }, 'http')).toBe(on);
  expect(isOn({ http: value }, 'ws')).toBe(false);
});

describe('a reference', () => {
  it.each([
    ['devnet', true, false, false],
    ['data', true, false, true],
    ['clock', true, false, true],
    ['task', true, false, true],
    ['l1.jwt', true, false, true],
    ['node.jwt', true, false, true],
    ['node.p2pKey', true, false, true],
    ['batcher.key', true, true, false],
    ['proposer.key', true, true, false],
    ['sequencer.key', true, true, false],
    ['sequencer.keyFile', true, false, false],
    ['toString', false, false, false],
    ['', false, false, false],
  ])('%s is in the table: %s; is a secret: %s; names what to use instead: %s', (name, listed, secret, instead) => {
    expect([isReference(name), isSecret(name)]).toEqual([listed, secret]);
    if (listed) expect(insteadOf(name) !== undefined).toBe(instead);
  });

  it('to a port names the key of the spec that sets it', () => {
    expect(insteadOf('port.rpc')).toBe('ports: { rpc: … }');
    expect(insteadOf('port.p2p')).toBe('ports: { p2p: … }');
  });
});
