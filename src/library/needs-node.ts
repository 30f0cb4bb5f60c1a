import { isNodeRecent, NODE_NEEDED } from '../system/program/node-version.ts';

/**
 * Refuses a Node that lacks what the library calls. Every file of the bundled library imports this one first, because
 * an old Node otherwise fails in a dependency with a `TypeError` that does not name the reason.
 */
const version = process.versions.node;
if (!isNodeRecent(version))
  throw new Error(
    `rollup-devnet: this is Node.js ${version}, expected ${NODE_NEEDED} or newer: install one, or run ` +
      '`npm install --save-dev node@24` and the test by npx or by an npm script',
  );
