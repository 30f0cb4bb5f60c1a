/** Folder of the package in its image. The plans of containers and exports name it, too. */
export const IN_IMAGE = 'opt/rollup-devnet';

/** User of the image's programs, and owner of its volumes. It has no rights on the machine. */
export const IMAGE_USER = 65532;

/** The parts of an image's configuration that are read or written here (OCI image specification, config.md). */
export interface ImageConfig {
  readonly architecture: string;
  readonly os: string;
  readonly config?: { readonly Env?: readonly string[] | undefined; readonly [key: string]: unknown } | undefined;
  readonly rootfs: { readonly type: 'layers'; readonly diff_ids: readonly string[] };
  readonly history?: readonly object[] | undefined;
  readonly [key: string]: unknown;
}

/** What the labels of an image tell of the package. */
export interface PackageFacts {
  readonly version: string;
  readonly licence: string;
  /** Hash of the sources that the build was made of. */
  readonly build: string;
}

/** Returns the labels of the package's image (OCI image specification, annotations.md). */
export function imageLabels({ version, licence, build }: PackageFacts): Readonly<Record<string, string>> {
  return {
    'org.opencontainers.image.title': 'rollup-devnet',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': licence,
    'org.opencontainers.image.revision': build,
  };
}

/** Returns the configuration of the package's image: that of its base, with our layer on top. */
export function imageConfig(base: ImageConfig, layer: string, facts: PackageFacts): ImageConfig {
  return {
    ...base,
    config: {
      Env: [...(base.config?.Env ?? []), `ANVIL=/${IN_IMAGE}/bin/anvil`],
      User: `${IMAGE_USER}:${IMAGE_USER}`,
      WorkingDir: `/${IN_IMAGE}`,
      Entrypoint: ['node'],
      Cmd: ['dist/devnet.js', '--help'],
      // Of a unit. Without one there is nothing to ask, and the command fails.
      Healthcheck: {
        Test: ['CMD', 'node', `/${IN_IMAGE}/dist/entry.js`, '--healthy'],
        Interval: 10e9,
        Timeout: 10e9,
        StartPeriod: 120e9,
      },
      Labels: imageLabels(facts),
    },
    rootfs: { type: 'layers', diff_ids: [...base.rootfs.diff_ids, layer] },
    history: [...(base.history ?? []), { created_by: 'devnet image save' }],
  };
}
