# One image for lobby, rules, routing and ledger: `signalbox serve SERVICE`, and every other command of signalbox.
# docker build -t signalbox:0.1.0 .
# By digest of the index of all platforms: what is built on today is what is built on in a year. See docs/operations.md.
ARG PYTHON_IMAGE=python:3.11.14-slim-bookworm@sha256:65a93d69fa75478d554f4ad27c85c1e69fa184956261b4301ebaf6dbb0a3543d

FROM ${PYTHON_IMAGE} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/signalbox/venv
WORKDIR /build
# The locked dependencies are a layer of their own: a change of code alone leaves it as it is.
COPY constraints-run.txt ./
RUN /opt/signalbox/venv/bin/pip install --require-hashes --only-binary=:all: -r constraints-run.txt
COPY pyproject.toml README.md LICENSE ./
COPY services ./services
RUN /opt/signalbox/venv/bin/pip install --no-deps --no-build-isolation --no-index . \
    && /opt/signalbox/venv/bin/pip check \
    && /opt/signalbox/venv/bin/pip uninstall --yes setuptools pip

FROM ${PYTHON_IMAGE}
LABEL org.opencontainers.image.title="signalbox" \
      org.opencontainers.image.licenses="MIT"
RUN groupadd --gid 10001 signalbox \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin signalbox \
    && install -d -o 10001 -g 10001 /opt/signalbox/kernels /var/lib/signalbox /var/cache/signalbox \
        /etc/signalbox/keys
COPY --from=build /opt/signalbox/venv /opt/signalbox/venv
COPY deploy/entrypoint.sh deploy/healthy.py /opt/signalbox/
ENV PATH=/opt/signalbox/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    NUMBA_CPU_NAME=generic
USER 10001:10001
WORKDIR /var/lib/signalbox
# The kernels of the route solver are compiled here, for any processor of this kind: no pod waits a minute for them.
RUN NUMBA_CACHE_DIR=/opt/signalbox/kernels \
    python -c "from services.routing.domain.solver import warm_up; warm_up()"
EXPOSE 8401 8402 8403 8404 8409
ENTRYPOINT ["/bin/sh", "/opt/signalbox/entrypoint.sh"]
CMD ["--help"]
