import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Home } from '../e2e/devnet.ts';
import { freePort } from '../system/free-port.ts';
import { NATIVE, noRegistry, preparationOf, Registry } from './registry.ts';
import { docker, NO_DOCKER } from './support.ts';

/** Why there is no registry to pull from. */
const NO_REGISTRY = NO_DOCKER ?? noRegistry();

let registry: Registry;
beforeAll(async () => {
  if (NO_REGISTRY !== undefined) return;
  registry = await Registry.start();
  registry.push('small', NATIVE);
  registry.push('other', 's390x');
});
afterAll(() => registry?.[Symbol.asyncDispose]());

describe.skipIf(NO_REGISTRY !== undefined)(`images of a registry${NO_REGISTRY ? ` (${NO_REGISTRY})` : ''}`, () => {
  it('a missing image is pulled with progress, once', async () => {
    const image = `${registry.host}/small:1`;
    const progress: string[] = [];
    await (await preparationOf(image))?.run((text) => progress.push(text));
    expect(progress).toEqual(
      expect.arrayContaining([expect.stringMatching(/Pull complete/), expect.stringMatching(/Downloaded newer image/)]),
    );
    expect(docker('image', 'inspect', image, '--format', '{{.RepoTags}}')).toBe(`[${image}]`);
    expect(await preparationOf(image)).toBeUndefined();
  });

  it('an image for another processor is refused, after its pull and when it is there', async () => {
    const image = `${registry.host}/other:1`;
    const refused = { exit: 4, message: expect.stringMatching(/is for linux\/s390x, and Docker runs on/) };
    await expect((await preparationOf(image))?.run(() => undefined)).rejects.toMatchObject(refused);
    await expect(preparationOf(image)).rejects.toMatchObject(refused);
  });

  it('an image that cannot be pulled is reported in one line, with what to do', async () => {
    await using home = new Home();
    const matching = (pattern: RegExp) => expect.stringMatching(pattern);
    const at = async (image: string) => {
      const v = { el: { client: 'op-geth', image }, cl: { client: 'op-node', image } };
      const spec = home.spec('real', { chains: { main: { nodes: { s: { role: 'sequencer' }, v } } } });
      const { code, stderr } = await home.devnet('up', spec);
      return [code, stderr.split('\n').filter((line) => line !== '')];
    };
    expect(await at(`${registry.host}/none:1`)).toEqual([
      4,
      [/cannot pull .*none:1: .*(not found|unknown)/, /correct its name/, /error code/].map(matching),
    ]);
    const dead = `127.0.0.1:${await freePort()}/none:1`;
    expect(await at(dead)).toEqual([4, [/cannot pull .*refused/, /docker load/, /error code/].map(matching)]);
  });
});
