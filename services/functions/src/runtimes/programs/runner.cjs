'use strict'
/** Serves a function with the framework on /sockets/http. Exits with a message if it cannot. */
const { existsSync, readFileSync } = require('node:fs')
const Module = require('node:module')
const { createServer } = require('node:net')
const { extname, join } = require('node:path')
const { pathToFileURL } = require('node:url')
const { Script } = require('node:vm')
const { openNetwork } = require('./network.cjs')
const { loadPacked } = require('./packed.cjs')

/** Set by `icosa functions dev`, which runs it without a sandbox. */
const [workspace = '/workspace', devSockets] = process.argv.slice(2)
const sockets = devSockets ?? '/sockets'
const target = process.env.FUNCTION_TARGET
const refuse = (message) => {
  console.error(message)
  process.exit(1)
}

const framework = loadPacked(
  new Script(readFileSync(join(__dirname, 'framework.cjs'), 'utf8'), {
    filename: '/runtime/framework.cjs',
    cachedData: readFileSync(join(__dirname, 'framework.cache')),
  }),
  __dirname,
)

// A function would otherwise register with its own copy of the framework.
globalThis[Symbol.for('icosa.framework')] = framework('index')
const registration = pathToFileURL(join(__dirname, 'registration.cjs')).href
Module.registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@google-cloud/functions-framework'
      ? { url: registration, format: 'commonjs', shortCircuit: true }
      : next(specifier, context),
})

/** The main file of package.json, or a conventional name. */
function mainFile() {
  const manifestPath = join(workspace, 'package.json')
  let manifest = {}
  try {
    if (existsSync(manifestPath)) manifest = JSON.parse(readFileSync(manifestPath, 'utf8'))
  } catch (error) {
    refuse(`package.json is not JSON: ${error.message}`)
  }
  for (const name of [manifest.main, 'index.js', 'function.js', 'index.mjs', 'index.cjs', 'index.ts', 'function.ts', 'index.mts', 'index.cts']) {
    if (typeof name !== 'string') continue
    const file = [name, `${name}.js`, `${name}.ts`, join(name, 'index.js')].find((path) => isFile(join(workspace, path)))
    if (file) return { file: join(workspace, file), isModule: manifest.type === 'module' }
  }
  const problem = typeof manifest.main === 'string' ? `'${manifest.main}', the main file of package.json, does not exist` : 'There is no index.js, index.ts or function.js'
  refuse(`${problem}: put the function's code there, or set "main" in package.json.`)
}

function isFile(path) {
  try {
    return require('node:fs').statSync(path).isFile()
  } catch {
    return false
  }
}

async function load() {
  const { file, isModule } = mainFile()
  const kind = extname(file)
  try {
    if (/^\.m[jt]s$/.test(kind) || (isModule && !/^\.c[jt]s$/.test(kind))) return await import(pathToFileURL(file).href)
    return Module.createRequire(file)(file)
  } catch (error) {
    const hint = error?.code === 'MODULE_NOT_FOUND' || error?.code === 'ERR_MODULE_NOT_FOUND' ? ' Is it listed in the dependencies of package.json?' : ''
    refuse(`${file.slice(workspace.length + 1)} cannot be loaded.${hint}\n${error?.stack ?? error}`)
  }
}

function pick(loaded) {
  const registered = framework('function_registry').getRegisteredFunction(target)
  if (registered) return registered
  const parts = target.split('.')
  const within = (from) => parts.reduce((value, part) => value?.[part], from)
  const userFunction = within(loaded) ?? within(loaded?.default)
  if (typeof userFunction === 'function') return { userFunction, signatureType: process.env.FUNCTION_SIGNATURE_TYPE }
  if (userFunction !== undefined) refuse(`The entry point '${target}' is a ${typeof userFunction}, not a function.`)
  const exported = Object.keys(loaded ?? {}).filter((name) => name !== 'default' && name !== 'module.exports')
  const others = exported.length > 0 ? `exported: ${exported.slice(0, 10).join(', ')}` : 'nothing is exported'
  refuse(`The entry point '${target}' is neither exported nor registered; ${others}.`)
}

async function main() {
  if (devSockets === undefined) openNetwork()
  const { loggingHandlerAddExecutionContext } = framework('logger')
  const { userFunction, signatureType } = pick(await load())
  loggingHandlerAddExecutionContext()
  const server = framework('server').getServer(userFunction, { signatureType, timeoutMilliseconds: 0, ignoredRoutes: null })
  // The node has its own timeouts and closes idle connections.
  Object.assign(server, { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0, maxHeadersCount: 0 }).setTimeout(0)
  // Liveness probe: an event loop that is blocked does not respond.
  createServer((socket) => socket.on('error', () => {}).end('.')).listen(join(sockets, 'alive')).unref()
  server.listen(join(sockets, 'http'), () => new (framework('invoker').ErrorHandler)(server).register())
}

main().catch((error) => refuse(error?.stack ?? String(error)))
