# The image in which this package runs its own programs and anvil. `devnet up --runtime docker` and
# `devnet image build` build it.
# The base has Node 22.13 or newer and glibc. Docker's own init (docker run --init) is process 1 and reaps.
ARG BASE=node:24-bookworm-slim
FROM ${BASE}
COPY package /opt/rollup-devnet
# Volumes of exported networks take their owner from the folder that they cover.
RUN ["node", "-e", "fs.mkdirSync('/data'); fs.chownSync('/data', 65532, 65532)"]
ENV ANVIL=/opt/rollup-devnet/bin/anvil
USER 65532:65532
WORKDIR /opt/rollup-devnet
# Of a unit of an exported network. Containers of `devnet up` take none.
HEALTHCHECK --interval=10s --timeout=10s --start-period=120s \
  CMD ["node", "/opt/rollup-devnet/dist/entry.js", "--healthy"]
ENTRYPOINT ["node"]
CMD ["dist/devnet.js", "--help"]
