const KEY = 'the key comes by file, because arguments are visible to every user: give --private-key-file';

/** Options that programs of this kind have elsewhere and not here, each with what there is instead. */
const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/^(private-key|mnemonic|hd-path|sequencer-hd-path|l2-output-hd-path)$/, KEY],
  [/^signer\./, `there is no remote signer: ${KEY}`],
  [/^metrics\./, 'there is no metrics server'],
  [/^pprof\./, 'there is no profiler server'],
  [/^active-sequencer-check-duration$/, 'there is one sequencer: --l2-eth-rpc and --rollup-rpc are one URL each'],
  [/^throttle\.pid-/, 'there is no such controller: --throttle.controller-type is step, linear or quadratic'],
  [/^throttle\.threshold-multiplier$/, 'give --throttle.unsafe-da-bytes-upper-threshold'],
  [/^txmgr\.rebroadcast-interval$/, 'what L1 dropped is sent again as soon as it is seen'],
  [/^altda\.(get-timeout|verify-on-read)$/, 'this program reads nothing from a DA server'],
];

/** A sentence for each word of the command line that is an option of that kind. */
export function unsupportedOptions(argv: readonly string[]): readonly string[] {
  return argv.flatMap((word) => {
    const name = /^--?([^-=][^=]*)/.exec(word)?.[1];
    const reason = name && UNSUPPORTED.find(([names]) => names.test(name))?.[1];
    return reason ? [`--${name} is not offered: ${reason}`] : [];
  });
}
