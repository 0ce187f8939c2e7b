# syntax=docker/dockerfile:1
# Octavo as an image: built with the pinned libraries in one stage, run by nobody in particular in another.
FROM python:3.13-slim-trixie AS build

# What libraries bring for debuggers is a seventh of the image. Versions are those of the distribution of that day.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends binutils \
 && rm -rf /var/lib/apt/lists/*

WORKDIR /src
RUN python -m venv /opt/octavo
COPY requirements/runtime.lock requirements/build.lock requirements/
RUN /opt/octavo/bin/pip install --no-cache-dir --no-compile --disable-pip-version-check --only-binary :all: --require-hashes -r requirements/build.lock \
 && /opt/octavo/bin/pip install --no-cache-dir --no-compile --disable-pip-version-check --only-binary :all: --require-hashes -r requirements/runtime.lock
COPY pyproject.toml README.md LICENSE MANIFEST.in ./
COPY requirements requirements
COPY docs docs
COPY src src
RUN /opt/octavo/bin/pip install --no-cache-dir --no-compile --disable-pip-version-check --no-deps --no-build-isolation . \
 && /opt/octavo/bin/pip uninstall --yes --quiet setuptools pip \
 && find /opt/octavo -name '*.so*' -type f -exec strip --strip-unneeded '{}' ';' \
 && /opt/octavo/bin/python -m compileall -q -j 0 /opt/octavo/lib

FROM python:3.13-slim-trixie

LABEL org.opencontainers.image.title="Octavo" \
      org.opencontainers.image.description="A documentation platform that people host themselves" \
      org.opencontainers.image.licenses="Apache-2.0"

# `octavo backup` asks pg_dump; directories of volumes get the owner that they have here.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends postgresql-client \
 && rm -rf /var/lib/apt/lists/* \
 && groupadd --gid 10001 octavo \
 && useradd --uid 10001 --gid octavo --no-create-home --home-dir /data --shell /usr/sbin/nologin octavo \
 && install --directory --owner octavo --group octavo --mode 0700 /data

COPY --from=build /opt/octavo /opt/octavo
ENV PATH=/opt/octavo/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    OCTAVO_DATA=/data \
    OCTAVO_HOST=0.0.0.0 \
    OCTAVO_PORT=8000

USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=4s --start-period=60s --retries=3 \
  CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/readyz', timeout=3)"]
ENTRYPOINT ["octavo"]
CMD ["serve", "--access-log"]
