const KEY_HINT = 'the key comes by file, because arguments are visible to every user: give --private-key-file';

/** op-batcher's and op-proposer's options that do not exist here, each with its alternative. */
const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/^(private-key|mnemonic|hd-path|sequencer-hd-path|l2-output-hd-path)$/, KEY_HINT],
  [/^signer\./, `there is no remote signer: ${KEY_HINT}`],
  [/^metrics\./, 'there is no metrics server'],
  [/^pprof\./, 'there is no profiler server'],
  [/^active-sequencer-check-duration$/, 'there is one sequencer: --l2-eth-rpc and --rollup-rpc are one URL each'],
  [/^throttle\.pid-/, 'there is no such controller: --throttle.controller-type is step, linear or quadratic'],
  [/^throttle\.threshold-multiplier$/, 'give --throttle.unsafe-da-bytes-upper-threshold'],
  [/^txmgr\.rebroadcast-interval$/, 'what L1 dropped is sent again as soon as it is seen'],
  [/^altda\.(get-timeout|verify-on-read)$/, 'this program reads nothing from a DA server'],
];

/** Returns a sentence for each argument that is such an option. */
export function unsupportedOptions(argv: readonly string[]): readonly string[] {
  return argv.flatMap((word) => {
    const name = /^--?([^-=][^=]*)/.exec(word)?.[1];
    const reason = name && UNSUPPORTED.find(([names]) => names.test(name))?.[1];
    return reason ? [`--${name} is not offered: ${reason}`] : [];
  });
}
