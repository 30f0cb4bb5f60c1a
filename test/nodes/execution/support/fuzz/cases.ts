import { createHmac } from 'node:crypto';
import { decodeDeposit, encodeDeposit } from '../../../../../src/protocol/codec/deposit.ts';
import { bytesToHex, hexToBytes } from '../../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../../src/protocol/types.ts';
import type { Payload } from '../driver.ts';
import { forgePayload } from '../forge-payload.ts';
import { JWT } from '../nodes.ts';
import type { Trial } from './campaign.ts';
import { mutate, mutatedHex, mutatedText } from './mutate.ts';
import type { Random } from './random.ts';
import { forkchoiceOf, type Recording, schedule } from './recording.ts';

type Kind = 'payload' | 'forged payload' | 'attributes' | 'forkchoice' | 'transaction' | 'token' | 'text' | 'query';

/** A request to the authenticated port. */
export interface Case extends Trial {
  readonly kind: Kind;
}

/** Mutates recorded requests. A seed gives the same cases, except for the time in tokens. */
export class Cases {
  readonly #random: Random;
  readonly #recording: Recording;
  /** Hashes, quantities and other values of the recording that replace those of a field. */
  readonly #words: readonly string[];
  #token = '';
  #tokenTime = 0;

  constructor(random: Random, recording: Recording) {
    this.#random = random;
    this.#recording = recording;
    this.#words = [
      recording.genesis,
      ...recording.payloads.map(({ hash }) => hash),
      ...recording.transactions,
      `0x${'00'.repeat(32)}`,
      `0x${'ab'.repeat(32)}`,
      `0x${'00'.repeat(20)}`,
      `0x${'00'.repeat(8)}`,
    ];
  }

  /** Returns a valid token. */
  token(): string {
    if (seconds() - this.#tokenTime > 5) {
      this.#tokenTime = seconds();
      this.#token = sign({ alg: 'HS256', typ: 'JWT' }, { iat: this.#tokenTime });
    }
    return this.#token;
  }

  next(): Case {
    const random = this.#random;
    const kind = random.of<Kind>([
      'payload',
      'payload',
      'payload',
      'forged payload',
      'forged payload',
      'attributes',
      'attributes',
      'attributes',
      'forkchoice',
      'transaction',
      'transaction',
      'token',
      'text',
      'query',
    ]);
    switch (kind) {
      case 'payload':
        return this.#call(kind, ...this.#newPayload(this.#payload(), (params) => mutate(random, params, this.#words)));
      case 'forged payload':
        return this.#call(kind, ...this.#newPayload(this.#forged(), (params) => params));
      case 'attributes':
        return this.#call(kind, `engine_forkchoiceUpdatedV${this.#version(3, [1, 2, 3])}`, [
          forkchoiceOf(this.#recording),
          random.chance(50) ? this.#otherForced() : mutate(random, this.#recording.attributes, this.#words),
        ]);
      case 'forkchoice':
        return this.#call(
          kind,
          'engine_forkchoiceUpdatedV3',
          mutate(random, [forkchoiceOf(this.#recording), null], this.#words),
        );
      case 'transaction':
        return this.#call(kind, 'eth_sendRawTransaction', [
          mutatedHex(random, random.of(this.#recording.transactions)),
        ]);
      case 'token':
        return { ...this.#valid(), kind, token: this.#otherToken() };
      case 'text': {
        const { method, body } = this.#valid();
        return { kind, method, body: mutatedText(random, body), token: this.token() };
      }
      case 'query': {
        const [method, params] = random.of<[string, unknown[]]>([
          ['engine_getPayloadV4', ['0x0300000000000001']],
          ['engine_getPayloadBodiesByHashV1', [this.#recording.payloads.map(({ hash }) => hash)]],
          ['engine_getPayloadBodiesByRangeV1', ['0x1', '0x4']],
          ['engine_exchangeCapabilities', [['engine_newPayloadV4']]],
          ['engine_getClientVersionV1', [{ code: 'ON', name: 'n', version: 'v', commit: '0x00000000' }]],
        ]);
        return this.#call(kind, method, mutate(random, params, this.#words));
      }
    }
  }

  #call(kind: Kind, method: string, params: unknown): Case {
    return { kind, method, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), token: this.token() };
  }

  #valid(): Case {
    const [method, params] = this.#random.chance(50)
      ? this.#newPayload(this.#recording.payloads[0]!, (value) => value, 4)
      : ['engine_forkchoiceUpdatedV3', [forkchoiceOf(this.#recording), null]];
    return this.#call('text', method as string, params);
  }

  #newPayload(
    payload: Payload,
    change: (params: unknown[]) => unknown,
    version = this.#version(4, [1, 2, 3, 4]),
  ): [string, unknown] {
    const { executionPayload, parentBeaconBlockRoot } = payload.envelope;
    const params = [executionPayload, [], parentBeaconBlockRoot, []].slice(0, [1, 1, 3, 4][version - 1]);
    return [`engine_newPayloadV${version}`, change(params)];
  }

  /** Returns mostly the right version. */
  #version(right: number, all: readonly number[]): number {
    return this.#random.chance(95) ? right : this.#random.of(all);
  }

  #payload(): Payload {
    return this.#random.of(this.#recording.payloads);
  }

  /**
   * Returns a payload with other content under its correct hash.
   * Only execution, or a check against the parent, can reject it.
   */
  #forged(): Payload {
    const random = this.#random;
    const payload = this.#payload();
    const was = payload.envelope.executionPayload as Record<string, Hex> & { transactions: Hex[] };
    const fields = random.chance(50)
      ? { transactions: this.#otherTransactions(was.transactions) }
      : this.#otherField(was);
    try {
      return forgePayload(schedule, payload, fields);
    } catch {
      return { ...payload, envelope: { ...payload.envelope, executionPayload: { ...was, ...fields } } };
    }
  }

  #otherField(was: Record<string, Hex>): Record<string, unknown> {
    const random = this.#random;
    const name = random.of([
      'parentHash',
      'feeRecipient',
      'stateRoot',
      'receiptsRoot',
      'logsBloom',
      'prevRandao',
      'extraData',
      'withdrawalsRoot',
      'blockNumber',
      'gasLimit',
      'gasUsed',
      'timestamp',
      'baseFeePerGas',
      'blobGasUsed',
      'excessBlobGas',
    ]);
    const isQuantity = was[name]!.length < 20;
    if (isQuantity)
      return {
        [name]: `0x${random.of([0, 1, Number(was[name]) + 1, random.below(2 ** 31), 2 ** 53 - 1]).toString(16)}`,
      };
    if (random.chance(20) && was[name]!.length === 66)
      return { [name]: random.of(this.#words.filter(({ length }) => length === 66)) };
    const other = mutatedHex(random, was[name]!);
    return { [name]: other.length === was[name]!.length || name === 'extraData' ? other : was[name] };
  }

  #otherTransactions(list: readonly Hex[]): Hex[] {
    const random = this.#random;
    const copy = [...list];
    const at = random.below(copy.length);
    random.of<() => void>([
      () => void copy.splice(at, 1),
      () => void copy.splice(at, 0, copy[at]!),
      () => void copy.push(random.of(this.#recording.transactions)),
      () => void copy.splice(at, 1, mutatedHex(random, copy[at]!) as Hex),
      () => void copy.splice(at, 1, mutatedHex(random, copy[at]!) as Hex),
      () => void copy.splice(0, 1, this.#otherDeposit(copy[0]!)),
      () => void copy.reverse(),
    ])();
    return copy;
  }

  /** Returns a decodable deposit with other values. */
  #otherDeposit(hex: Hex): Hex {
    const random = this.#random;
    const deposit = decodeDeposit(hexToBytes(hex));
    return bytesToHex(
      encodeDeposit({
        ...deposit,
        gas: random.of([0, 21_000, 1_000_000, 2 ** 40, 2 ** 53 - 1]),
        mint: random.of([0n, 1n, 2n ** 255n, 2n ** 256n - 1n]),
        value: random.of([0n, 1n, 2n ** 256n - 1n]),
        to: random.of([deposit.to, null, `0x${'00'.repeat(19)}0${1 + random.below(9)}` as Hex]),
        isSystemTransaction: random.chance(20),
        data: random.of<Hex>(['0x', '0x00', `0x${'5b'.repeat(600)}`, '0x60006000f3', '0xfe', `0x${'58'.repeat(100)}`]),
      }),
    );
  }

  #otherForced(): Record<string, unknown> {
    const { attributes } = this.#recording;
    return { ...attributes, transactions: this.#otherTransactions(attributes['transactions'] as Hex[]) };
  }

  #otherToken(): string {
    const random = this.#random;
    const good = { alg: 'HS256', typ: 'JWT' };
    return random.of<() => string>([
      () => sign(good, { iat: seconds() + random.of([-3600, -90, -20, 0, 20, 90, 3600]) }),
      () => sign({ alg: random.of(['none', 'HS512', 'RS256', 'hs256', '']), typ: 'JWT' }, { iat: seconds() }),
      () => sign(good, random.of([{}, { iat: String(seconds()) }, { iat: null }, { iat: Number.MAX_VALUE }, []])),
      () => sign(good, { iat: seconds(), exp: seconds() + random.of([-5, 60]) }),
      () => sign(good, { iat: seconds() }, new Uint8Array(32).fill(random.below(7))),
      () => sign(good, { iat: seconds() }).split('.').slice(0, random.below(3)).join('.'),
      () => mutatedText(random, sign(good, { iat: seconds() })).replace(/[^\x21-\x7e]/g, ''),
      () => '',
    ])();
  }
}

const seconds = () => Math.floor(Date.now() / 1000);

function sign(header: object, claims: object, secret: Uint8Array = JWT): string {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
