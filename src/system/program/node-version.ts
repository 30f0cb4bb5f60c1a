/** Oldest version of Node.js that has all that this package uses, as package.json says it too. */
export const NODE_NEEDED = '22.13';

/** Whether a version of Node.js, such as 22.13.1, is new enough. */
export function isNodeRecent(version: string = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = NODE_NEEDED.split('.').map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}
