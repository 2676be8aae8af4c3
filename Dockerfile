# Dependencies are a stage of their own, so that a change of the code doesn't install them again.
FROM node:22-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
COPY packages/mcp/package.json packages/mcp/
COPY packages/cli/package.json packages/cli/
COPY lib/cli/prepare.mjs lib/cli/project.mjs lib/cli/
RUN node -e 'import("/app/lib/cli/prepare.mjs").then((prepare) => prepare.install({ withTools: false }))'

FROM dependencies AS build
ENV NODE_ENV=production
COPY . .
RUN node -e 'import("/app/lib/cli/prepare.mjs").then((prepare) => prepare.build())'

# The same folder as in the build: the stamps of install and build contain absolute paths.
FROM node:22-slim AS service
WORKDIR /app
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    NEXTAUTH_URL=http://127.0.0.1:3000 \
    DATA_DIR=/data
RUN mkdir -m 700 /data && chown node:node /app /data
COPY --from=build --chown=node:node /app/node_modules node_modules
COPY --from=build --chown=node:node /app/.next .next
COPY --from=build --chown=node:node /app/dist dist
# The admin verbs are bundled from the sources when they first run.
COPY --chown=node:node app app
COPY --chown=node:node lib lib
COPY --chown=node:node public public
COPY --chown=node:node package.json package-lock.json next.config.ts tsconfig.json server.mjs ./
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server.mjs"]
