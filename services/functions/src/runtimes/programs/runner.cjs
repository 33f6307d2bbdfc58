'use strict'
/** Serves a function by the framework on /sockets/http. Ends with a message that names what is wrong if it cannot. */
const { existsSync, readFileSync } = require('node:fs')
const Module = require('node:module')
const { createServer } = require('node:net')
const { extname, join } = require('node:path')
const { pathToFileURL } = require('node:url')
const { Script } = require('node:vm')
const { loadPacked } = require('./packed.cjs')

const workspace = '/workspace'
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

// A function that brings its own copy of the framework would register itself there, where nobody looks.
globalThis[Symbol.for('icosa.framework')] = framework('index')
const registration = pathToFileURL(join(__dirname, 'registration.cjs')).href
Module.registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@google-cloud/functions-framework'
      ? { url: registration, format: 'commonjs', shortCircuit: true }
      : next(specifier, context),
})

/** What package.json says, or the names that functions have by custom. */
function mainFile() {
  const about = join(workspace, 'package.json')
  let described = {}
  try {
    if (existsSync(about)) described = JSON.parse(readFileSync(about, 'utf8'))
  } catch (error) {
    refuse(`package.json is not JSON: ${error.message}`)
  }
  for (const name of [described.main, 'index.js', 'function.js', 'index.mjs', 'index.cjs']) {
    if (typeof name !== 'string') continue
    const found = [name, `${name}.js`, join(name, 'index.js')].find((file) => isFile(join(workspace, file)))
    if (found) return { file: join(workspace, found), isModule: described.type === 'module' }
  }
  const named = typeof described.main === 'string' ? `'${described.main}', which package.json names as main, is not there` : 'There is no index.js or function.js'
  refuse(`${named}: put the function's code there, or name its file as "main" in package.json.`)
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
    if (kind === '.mjs' || (isModule && kind !== '.cjs')) return await import(pathToFileURL(file).href)
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
  const within = (from) => parts.reduce((found, part) => found?.[part], from)
  const userFunction = within(loaded) ?? within(loaded?.default)
  if (typeof userFunction === 'function') return { userFunction, signatureType: process.env.FUNCTION_SIGNATURE_TYPE }
  if (userFunction !== undefined) refuse(`The entry point '${target}' is a ${typeof userFunction}, not a function.`)
  const exported = Object.keys(loaded ?? {}).filter((name) => name !== 'default' && name !== 'module.exports')
  const others = exported.length > 0 ? `exported are: ${exported.slice(0, 10).join(', ')}` : 'nothing is exported'
  refuse(`The entry point '${target}' is neither exported nor registered; ${others}.`)
}

async function main() {
  const { loggingHandlerAddExecutionContext } = framework('logger')
  const { userFunction, signatureType } = pick(await load())
  loggingHandlerAddExecutionContext()
  const server = framework('server').getServer(userFunction, { signatureType, timeoutMilliseconds: 0, ignoredRoutes: null })
  // Time limits are the node's, who closes connections when it no longer needs them.
  Object.assign(server, { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0, maxHeadersCount: 0 }).setTimeout(0)
  // Says that the function gets to its turn: who computes without end does not.
  createServer((socket) => socket.on('error', () => {}).end('.')).listen('/sockets/alive').unref()
  server.listen('/sockets/http', () => new (framework('invoker').ErrorHandler)(server).register())
}

main().catch((error) => refuse(error?.stack ?? String(error)))
