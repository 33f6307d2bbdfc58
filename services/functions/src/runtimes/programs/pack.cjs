'use strict'
/**
 * Writes the framework and all that it needs into one file: in a sandbox, opening a file costs more than reading it, and the
 * framework is 400 of them. What was compiled is kept, too. What is only needed later, and was not recorded here, is still
 * found in the folder.
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

/** By file: what it asks for, and which file that is. */
const asked = new Map()
const load = Module._load
Module._load = function (wanted, parent, isMain) {
  if (parent?.filename?.startsWith(root) && !Module.isBuiltin(wanted)) {
    if (!asked.has(parent.filename)) asked.set(parent.filename, {})
    asked.get(parent.filename)[wanted] = relative(root, Module._resolveFilename(wanted, parent))
  }
  return load.call(this, wanted, parent, isMain)
}

/** A request of each kind, so that what is loaded on first use is recorded, too. */
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
    const answer = signatureType === 'http' ? (asking, reply) => reply.status(200).send(asking.query) : () => ({ ok: true })
    const server = getServer(answer, { signatureType, timeoutMilliseconds: 0, ignoredRoutes: null })
    await new Promise((ready) => server.listen(socketPath, ready))
    for (const [type, body] of signatureType === 'http' ? bodies : bodies.slice(-1))
      await new Promise((done, fail) => {
        const sent = request({ agent: false, socketPath, path: '/?a=b', method: 'POST', headers: { 'content-type': type } }, (reply) =>
          reply.resume().on('end', done),
        )
        sent.on('error', fail).end(body)
      })
    await new Promise((closed) => {
      server.close(closed)
      server.closeAllConnections()
    })
    rmSync(socketPath, { force: true })
  }
}

/** As Node wraps a module; a file of JSON is one that exports it. */
const wrapped = (file) => {
  const text = readFileSync(file, 'utf8')
  const body = file.endsWith('.json') ? `module.exports = ${text}` : text.replace(/^#!.*/, '')
  return `function (exports, require, module, __filename, __dirname) {${body}\n}`
}

for (const file of Object.values(entries)) require(file)
exercise().then(() => {
  const files = Object.keys(require.cache).filter((file) => file.startsWith(join(root, 'node_modules')))
  const modules = files.map((file) => {
    const known = JSON.stringify(asked.get(file) ?? {})
    return `${JSON.stringify(relative(root, file))}: [${known}, ${wrapped(file)}]`
  })
  const named = Object.entries(entries).map(([name, file]) => [name, relative(root, file)])
  const source = `(function () { return {
entries: ${JSON.stringify(Object.fromEntries(named))},
modules: {
${modules.join(',\n')}
} } })`
  writeFileSync(join(root, 'framework.cjs'), source)
  // Functions are compiled when they are first called: these were called by then, as far as a start needs them.
  const { loadPacked } = require('./packed.cjs')
  const script = new Script(source, { filename: '/runtime/framework.cjs' })
  const framework = loadPacked(script, root)
  for (const name of Object.keys(entries)) framework(name)
  writeFileSync(join(root, 'framework.cache'), script.createCachedData())
  process.exit(0)
})
