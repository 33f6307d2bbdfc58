'use strict'
/**
 * Bundles the framework with its dependencies into one file: in a sandbox, opening a file costs more than reading it, and the
 * framework has 400. The compile cache is stored, too. Modules that are not recorded here are loaded from the folder.
 *
 *   node pack.cjs <folder with node_modules>
 */
const { readFileSync, rmSync, writeFileSync } = require('node:fs')
const { request } = require('node:http')
const Module = require('node:module')
const { join, relative } = require('node:path')
const { Script } = require('node:vm')

const root = process.argv[2]
const entries = Object.fromEntries(
  ['index', 'server', 'invoker', 'logger', 'function_registry'].map((name) => [
    name,
    join(root, 'node_modules/@google-cloud/functions-framework/build/src', `${name}.js`),
  ]),
)

/** Resolved dependencies by file. */
const resolved = new Map()
const load = Module._load
Module._load = function (specifier, parent, isMain) {
  if (parent?.filename?.startsWith(root) && !Module.isBuiltin(specifier)) {
    if (!resolved.has(parent.filename)) resolved.set(parent.filename, {})
    resolved.get(parent.filename)[specifier] = relative(root, Module._resolveFilename(specifier, parent))
  }
  return load.call(this, specifier, parent, isMain)
}

/** Sends a request of each kind, so that lazily loaded modules are recorded, too. */
async function exercise() {
  const { getServer } = require(entries.server)
  const socketPath = join(root, 'pack')
  const event = { id: '1', type: 'a', source: 'b', specversion: '1.0', data: {} }
  const bodies = [
    ['application/json', '{}'],
    ['text/plain', 'a'],
    ['application/x-www-form-urlencoded', 'a=b'],
    ['application/octet-stream', 'a'],
    ['application/cloudevents+json', JSON.stringify(event)],
  ]
  for (const signatureType of ['http', 'cloudevent']) {
    const handler = signatureType === 'http' ? (incoming, reply) => reply.status(200).send(incoming.query) : () => ({ ok: true })
    const server = getServer(handler, { signatureType, timeoutMilliseconds: 0, ignoredRoutes: null })
    await new Promise((ready) => server.listen(socketPath, ready))
    for (const [type, body] of signatureType === 'http' ? bodies : bodies.slice(-1))
      await new Promise((done, fail) => {
        const outgoing = request({ agent: false, socketPath, path: '/?a=b', method: 'POST', headers: { 'content-type': type } }, (reply) =>
          reply.resume().on('end', done),
        )
        outgoing.on('error', fail).end(body)
      })
    await new Promise((closed) => {
      server.close(closed)
      server.closeAllConnections()
    })
    rmSync(socketPath, { force: true })
  }
}

/** Wraps a module like Node; a JSON file becomes a module that exports it. */
const wrapped = (file) => {
  const text = readFileSync(file, 'utf8')
  const body = file.endsWith('.json') ? `module.exports = ${text}` : text.replace(/^#!.*/, '')
  return `function (exports, require, module, __filename, __dirname) {${body}\n}`
}

for (const file of Object.values(entries)) require(file)
exercise().then(() => {
  const files = Object.keys(require.cache).filter((file) => file.startsWith(join(root, 'node_modules')))
  const modules = files.map((file) => {
    const dependencies = JSON.stringify(resolved.get(file) ?? {})
    return `${JSON.stringify(relative(root, file))}: [${dependencies}, ${wrapped(file)}]`
  })
  const entryPaths = Object.entries(entries).map(([name, file]) => [name, relative(root, file)])
  const source = `(function () { return {
entries: ${JSON.stringify(Object.fromEntries(entryPaths))},
modules: {
${modules.join(',\n')}
} } })`
  writeFileSync(join(root, 'framework.cjs'), source)
  // Functions are compiled on their first call: by then, those needed for a start have been called.
  const { loadPacked } = require('./packed.cjs')
  const script = new Script(source, { filename: '/runtime/framework.cjs' })
  const framework = loadPacked(script, root)
  for (const name of Object.keys(entries)) framework(name)
  writeFileSync(join(root, 'framework.cache'), script.createCachedData())
  process.exit(0)
})
