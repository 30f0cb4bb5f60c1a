const PLATFORM = `${process.platform}-${process.arch}/node${process.versions.node}`;

/** Returns the answer of `web3_clientVersion`. */
export function clientVersion(name: string, version: string): string {
  return `rollup-devnet/${name}/v${version}/${PLATFORM}`;
}
